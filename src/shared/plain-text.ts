/**
 * Control characters go, those of eight bits and the invisible ones that reorder text included: in a terminal they are
 * orders. Tabs and line ends stay.
 */
export const withoutControls = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')

/** A text for a terminal: a bare carriage return would write over what stands there. */
export const forTerminal = (text: string): string => withoutControls(text.replace(/\r\n?/g, '\n'))

/** One line of JSON with the control characters escaped that JSON itself lets through. */
export const jsonLine = (value: unknown): string =>
  `${JSON.stringify(value).replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
