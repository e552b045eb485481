/** `3 items`, `1 item`. */
export const plural = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`

/** `a.jsonl:12`, or `a.jsonl` for what concerns all of it. */
export const atLine = (file: string, line: number): string => (line > 0 ? `${file}:${line}` : file)
