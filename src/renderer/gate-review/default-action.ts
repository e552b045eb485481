/** What the highlighted button does: with notes a correction, without an approval. */
export const defaultAction = (notes: string): 'approve' | 'correct' =>
  notes.trim() === '' ? 'approve' : 'correct'
