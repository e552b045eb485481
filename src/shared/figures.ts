// Figures as they are read: rounded. What reads the same on both sides of an arrow is no change to a reader.

/** How far a figure moved as it reads with so many decimals; 0 when both read alike. */
export function readMove(from: number, to: number, decimals: number): number {
  const read = (value: number): number => Number(value.toFixed(decimals))
  return Number((read(to) - read(from)).toFixed(decimals))
}
