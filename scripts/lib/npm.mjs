import { existsSync } from 'node:fs'
import { delimiter, dirname, join, sep } from 'node:path'
import { paths } from './paths.mjs'

// `npm run` puts node_modules/.bin first in PATH, so this very script may run on the Node inside
// node_modules. npm must not: `npm ci` deletes that Node under its feet.

/** @param {string} file */
const isInside = (file) => file.startsWith(paths.nodeModules + sep)

/** @param {NodeJS.ProcessEnv} env */
export function outsidePath(env) {
  return (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !isInside(folder + sep))
    .join(delimiter)
}

/**
 * The machine's own Node: never the one inside node_modules.
 * @param {NodeJS.ProcessEnv} env
 */
export function outsideNode(env) {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const onPath = outsidePath(env)
    .split(delimiter)
    .map((folder) => join(folder, name))
  const found = [env.npm_node_execpath, process.execPath, ...onPath].find(
    (file) => file && !isInside(file) && existsSync(file),
  )
  return found ?? name
}

/**
 * How to call npm with the machine's Node.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
export function npmCommand(args, env = process.env) {
  const node = outsideNode(env)
  const childEnv = { ...env, PATH: `${dirname(node)}${delimiter}${outsidePath(env)}` }
  const cli = [env.npm_execpath, join(dirname(node), '../lib/node_modules/npm/bin/npm-cli.js')].find(
    (file) => file?.endsWith('npm-cli.js') && !isInside(file) && existsSync(file),
  )
  return cli
    ? { command: node, args: [cli, ...args], env: childEnv }
    : { command: 'npm', args, env: childEnv }
}

/**
 * The environment in which `node` and the project's tools are those of node_modules.
 * @param {NodeJS.ProcessEnv} [env]
 */
export function insideEnv(env = process.env) {
  return {
    ...env,
    PATH: `${dirname(paths.node)}${delimiter}${join(paths.nodeModules, '.bin')}${delimiter}${outsidePath(env)}`,
  }
}
