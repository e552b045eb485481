import { writeSync } from 'node:fs'
import { updateArcs } from '../../../src/main/curator'
import { journalContext } from '../../../src/main/journal'
import { eraseSource, resumeErasures } from '../../../src/main/sharing'
import { migrate, openWrite, sourcesSql } from '../../../src/main/store'

// Erases the source at PATH from DB, or goes on with what was begun. node erase-child.js DB PATH

const [file = '', path = ''] = process.argv.slice(2)
const db = openWrite(file)
migrate(db)
const journal = journalContext(db, {
  salt: 'salt',
  afterWrite: (write, sessions) => void updateArcs(write, sessions),
})
writeSync(1, 'START\n')
const source = sourcesSql.sourceByPath(db, path)
if (source) await eraseSource(journal, source.id)
else await resumeErasures(journal)
writeSync(1, 'END\n')
db.close()
