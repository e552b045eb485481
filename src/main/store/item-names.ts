// Items name their session, their goal and their arc by number (`session`, `goal`, `arc`). The view `items` tells the
// names as well, which is cheap for what is read; what is looked for is looked for by number, where the indexes are.

/** SQL: the number of a name; null when no item has named it. */
export const numberOf = (name = '?'): string => `(SELECT n FROM names WHERE name = ${name})`

/** SQL: the name behind a number. */
export const nameOf = (n: string): string => `(SELECT name FROM names WHERE n = ${n})`
