/**
 * The path of the file an item stands in, for a SELECT: the file's row says it, for all its items once. An item whose
 * file was forgotten says it itself.
 */
export const pathOf = (items: string): string =>
  `coalesce(nullif(${items}.file_path, ''), (SELECT path FROM files WHERE id = ${items}.file_id), '')`
