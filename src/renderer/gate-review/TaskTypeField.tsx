import type { TaskType } from '@shared/domain'
import type { GateLine } from '@shared/review'
import { taskName } from '../lib/words'

const types = Object.keys(taskName) as TaskType[]

interface TaskTypeFieldProps {
  gate: Pick<GateLine, 'taskType' | 'status'>
  onChange: (type: TaskType) => void
}

/** What sort of task the plan is for: derived, and the person's to change while the gate is open. */
export function TaskTypeField({ gate, onChange }: TaskTypeFieldProps) {
  if (gate.status !== 'open') return <span>{taskName[gate.taskType]}</span>
  return (
    <select
      className="bare-select"
      aria-label="Task type"
      value={gate.taskType}
      onChange={(event) => onChange(event.target.value as TaskType)}
    >
      {types.map((type) => (
        <option key={type} value={type}>
          {taskName[type]}
        </option>
      ))}
    </select>
  )
}
