import type { Command } from 'commander'
import type { Run } from './context'

export function addProjectCommands(program: Command, run: Run): void {
  const project = program.command('project').description('projects, and names that are one project')

  run(project.command('list').description('projects and how much is known of them'), async ({ call }) => {
    const { projects } = await call('projects.list', {})
    const { aliases } = await call('projects.aliases', {})
    const lines = [
      ...projects.map((one) => `${one.name}  ${one.items} items`),
      ...aliases.map((one) => `${one.alias} → ${one.name}`),
    ]
    return { value: { projects, aliases }, text: lines.join('\n') || 'Nothing has been read yet.' }
  })
  const merge = project
    .command('merge')
    .description('put a project under the name of another: its folder was renamed or moved')
    .argument('<from>')
    .argument('<into>')
  run(merge, async ({ call }, [from = '', into = '']) => {
    const value = await call('projects.merge', { from, into })
    return { value, text: `${value.items} items of ${from} are under ${into} now` }
  })
  const unmerge = project.command('unmerge').description('undo a merge').argument('<name>')
  run(unmerge, async ({ call }, [name = '']) => {
    const value = await call('projects.unmerge', { name })
    return { value, text: `${value.items} items are under ${name} again` }
  })
}
