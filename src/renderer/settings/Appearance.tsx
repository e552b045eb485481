import { Segmented } from '../parts/Segmented'
import { useApp } from '../state/app'

export function Appearance() {
  const { theme, blind } = useApp()
  const { saveSettings } = useApp.getState()
  return (
    <>
      <section className="panel-block" aria-labelledby="settings-look">
        <h2 id="settings-look">Look</h2>
        <div className="row setting">
          <div className="grow">
            <h3>Theme</h3>
            <p className="sub">System follows the machine.</p>
          </div>
          <Segmented
            label="Theme"
            value={theme}
            onChange={(next) => void saveSettings({ theme: next })}
            options={[
              { value: 'system', label: 'system' },
              { value: 'light', label: 'light' },
              { value: 'dark', label: 'dark' },
            ]}
          />
        </div>
      </section>
      <section className="panel-block" aria-labelledby="settings-review">
        <h2 id="settings-review">Review</h2>
        <label className="row setting">
          <span className="grow">
            <b>Blind review</b>
            <br />
            <span className="sub">
              Predictions stay sealed until you decide, so that they are scored fairly. Switched off, they are
              shown first and counted apart.
            </span>
          </span>
          <input
            type="checkbox"
            role="switch"
            checked={blind}
            aria-checked={blind}
            onChange={(event) => void saveSettings({ blind: event.target.checked })}
          />
        </label>
      </section>
    </>
  )
}
