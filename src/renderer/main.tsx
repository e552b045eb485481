import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App'
import { startLive } from './live'
import './styles/tokens.css'
import './styles/base.css'
import './styles/shell.css'
import './styles/parts.css'
import './styles/first-run.css'
import './styles/gate-review.css'
import './styles/timeline.css'
import './styles/receipts.css'
import './styles/query.css'
import './styles/settings.css'
import { useApp } from './state/app'
import { loadMemory, useSources } from './state/memory'
import { usePlanes, useReceiptList } from './state/receipts'
import { followTheme } from './theme'

followTheme()
startLive()
void useApp.getState().loadSettings()
void loadMemory()
// The list of sources alone decides between the welcome and the workspaces; nothing slower is waited for.
void useSources
  .getState()
  .load({})
  .then(() => useApp.getState().enter(useSources.getState().value?.length === 0 ? 'welcome' : 'ready'))
void usePlanes.getState().load({})
void useReceiptList.getState().load({})

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
