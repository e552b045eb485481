import { writeSync } from 'node:fs'
import { updateArcs } from '../../../src/main/curator'
import { enrol, ingestSources, journalContext } from '../../../src/main/journal'
import { migrate, openWrite } from '../../../src/main/store'

// Ingests FOLDER into DB and prints, after each commit, the watermarks: the acknowledgement a caller would get.
// node killed-child.js DB FOLDER

const [path = '', folder = ''] = process.argv.slice(2)
const db = openWrite(path)
migrate(db)
const journal = journalContext(db, {
  salt: 'salt',
  projectOf: (cwd) => cwd.split('/').at(-1) ?? null,
  afterWrite: (write, sessions) => void updateArcs(write, sessions),
})
const source = enrol(journal, { path: folder })
writeSync(1, 'START\n')
const report = await ingestSources(
  journal,
  [source],
  {},
  {
    cancelled: () => false,
    progress: () => {},
    // Synchronous, so that what was said is out before the process can die.
    changed: () => {
      writeSync(1, `${JSON.stringify(db.all('SELECT path, offset FROM files WHERE offset > 0'))}\n`)
    },
  },
)
writeSync(1, `END ${report.new}\n`)
db.close()
