/**
 * SQL: whether an error is what a command printed when it failed. The command itself, another item, says that it failed.
 * Where a transcript does not tell the command beside the error, the tool does: one that runs commands in this session.
 */
export const ofCommand = (error: string): string =>
  `(${error}.data ->> '$.command' IS NOT NULL OR (${error}.data ->> '$.path' IS NULL AND EXISTS (
     SELECT 1 FROM items AS ran WHERE ran.session = ${error}.session AND ran.kind = 'command' AND ran.tool = ${error}.tool)))`
