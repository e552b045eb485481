import { memo, useMemo, useState } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { call } from '../client'
import { type Evidence, markEvidence, orderHeadings } from '../lib/markdown'
import { attempt } from '../state/app'
import { Confirm } from './Dialog'

interface MarkdownProps {
  text: string
  /** The level the first heading of the text gets on this page. */
  top: number
  evidence?: readonly Evidence[]
}

const none: readonly Evidence[] = []

/** Markdown of foreign origin: no HTML, no pictures fetched, links dead until the person has seen where they lead. */
export const Markdown = memo(function Markdown({ text, top, evidence = none }: MarkdownProps) {
  const [url, setUrl] = useState<string | null>(null)
  const components = useMemo<Components>(
    () => ({
      a: ({ href, children }) =>
        href && isWeb(href) ? (
          <button type="button" className="linkish" title={href} onClick={() => setUrl(href)}>
            {children}
          </button>
        ) : (
          <span className="dead-link" title={href}>
            {children}
          </span>
        ),
      img: ({ alt }) => <span className="no-picture">[picture{alt ? `: ${alt}` : ''}]</span>,
      input: ({ checked }) => (
        <span role="img" aria-label={checked ? 'done' : 'to do'} className="task-box">
          {checked ? '☑' : '☐'}
        </span>
      ),
      table: ({ children }) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls sideways must be reachable by the keyboard.
        <section className="table-scroll" aria-label="Table" tabIndex={0}>
          <table>{children}</table>
        </section>
      ),
      pre: ({ children }) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: code that scrolls sideways must be reachable by the keyboard.
        <pre tabIndex={0}>{children}</pre>
      ),
    }),
    [],
  )
  return (
    <>
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[rehypeSanitize, orderHeadings(top), markEvidence(evidence)]}
        components={components}
        skipHtml
      >
        {text}
      </ReactMarkdown>
      {url ? (
        <Confirm
          title="Open this in your browser?"
          yes="Open in browser"
          onYes={() => void attempt(() => call('app.openExternal', { url }))}
          onClose={() => setUrl(null)}
        >
          <p>The link stands in text an agent wrote. It leads to:</p>
          <p className="mono wrap-any">{url}</p>
        </Confirm>
      ) : null}
    </>
  )
})

const isWeb = (href: string): boolean => /^https?:\/\//i.test(href)
