import { memo, useMemo, useState } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { call } from '../client'
import { type Evidence, markEvidence, orderHeadings } from '../lib/markdown'
import { nothingHidden, schema } from '../lib/nothing-hidden'
import { showUnseen, spelled } from '../lib/unseen'
import { attempt } from '../state/app'
import { Confirm } from './Dialog'

interface MarkdownProps {
  text: string
  /** The level the first heading of the text gets on this page. */
  top: number
  evidence?: readonly Evidence[]
}

const none: readonly Evidence[] = []

/**
 * Markdown of foreign origin: HTML is text, no pictures fetched, links dead until the person has seen where they lead.
 * All that is written is shown, also what Markdown itself would leave out.
 */
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
      img: ({ alt }) => <span className="no-picture">[picture{alt ? `: ${spelled(alt)}` : ''}]</span>,
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
      pre: ({ children, node }) => {
        const label = node?.properties.dataRaw
        return label ? (
          <figure className="raw">
            <figcaption>{label}</figcaption>
            <pre>{children}</pre>
          </figure>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: code that scrolls sideways must be reachable by the keyboard.
          <pre tabIndex={0}>{children}</pre>
        )
      },
      code: ({ children, node, className }) => {
        const label = node?.properties.dataRaw
        return label ? (
          <code className="raw" title={String(label)}>
            <span className="sr-only">{label}: </span>
            {children}
          </code>
        ) : (
          <code className={className}>{children}</code>
        )
      },
    }),
    [],
  )
  return (
    <>
      <ReactMarkdown
        remarkPlugins={[remarkGfm, nothingHidden]}
        rehypePlugins={[[rehypeSanitize, schema], orderHeadings(top), markEvidence(evidence), showUnseen]}
        components={components}
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
          <p className="mono wrap-any">{spelled(url)}</p>
        </Confirm>
      ) : null}
    </>
  )
})

const isWeb = (href: string): boolean => /^https?:\/\//i.test(href)
