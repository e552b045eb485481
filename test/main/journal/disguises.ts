/**
 * A frame as it comes back in transcripts, by what was done to it.
 * @param nested the same frame inside another one's text
 */
export const disguisesOf = (frame: string, nested: string): Record<string, string> => ({
  plain: frame,
  nested,
  twice: `${frame}\n${frame}`,
  quoted: frame.replace(/^/gm, '> '),
  'quoted twice': frame.replace(/^/gm, '> > '),
  indented: frame.replace(/^/gm, '        '),
  'JSON-escaped': JSON.stringify(frame),
  'JSON-escaped twice': JSON.stringify(JSON.stringify(frame)),
  'in a list': frame.replace(/^/gm, '  - '),
  'with CRLF': frame.replaceAll('\n', '\r\n'),
  'HTML-escaped': frame.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
})
