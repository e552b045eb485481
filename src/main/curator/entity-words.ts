// Lists that the entity rules need. They are deliberately short: what is missing is missed, what is wrong is shown.

export const EXTENSIONS = new Set(
  `ts tsx mts cts js jsx mjs cjs json jsonc jsonl json5 md mdx py pyi ipynb go rs java kt kts scala rb php c h cc cpp
  hpp cs fs swift m mm dart lua r jl ex exs erl hs ml clj sh bash zsh fish ps1 bat yml yaml toml ini cfg conf env
  css scss sass less html htm vue svelte astro xml svg sql sqlite db graphql gql proto tf hcl lock txt csv tsv log
  png jpg jpeg gif webp pdf zip tar gz wasm gradle properties plist patch diff snap map mod sum`.split(/\s+/),
)

export const BARE_FILES = new Set([
  'Dockerfile',
  'Makefile',
  'Gemfile',
  'Procfile',
  'Justfile',
  'Rakefile',
  '.gitignore',
  '.npmrc',
  '.env',
  '.editorconfig',
  '.prettierrc',
  '.eslintrc',
])

/** Products that look like file names. */
export const NOT_FILES = new Set([
  'node.js',
  'next.js',
  'vue.js',
  'nuxt.js',
  'react.js',
  'express.js',
  'three.js',
  'd3.js',
  'chart.js',
  'ember.js',
  'backbone.js',
  'angular.js',
  'socket.io',
  'asp.net',
])

/** First folders that make `a/b` a path even without a file extension. */
export const FOLDERS = new Set(
  `src lib test tests docs doc app apps packages pkg cmd internal bin scripts config public assets dist build
  components pages api server client node_modules resources examples migrations infra deploy tools vendor`.split(
    /\s+/,
  ),
)

export const COMMANDS = new Set(
  `npm npx pnpm yarn bun node deno tsc vitest jest eslint biome prettier git gh docker docker-compose kubectl helm
  terraform make cmake cargo rustc go python python3 pip pip3 uv poetry pytest ruff mypy ruby bundle rails rake
  mise just tox nox deno bazel golangci-lint gofmt cargo-nextest turbo nx
  java mvn gradle ./gradlew dotnet swift composer php psql sqlite3 redis-cli curl wget ssh scp rsync grep rg sed awk
  find ls cat cd cp mv rm mkdir chmod chown tar unzip brew apt apt-get systemctl bash sh`.split(/\s+/),
)

export const ERRNO = new Set(
  `ENOENT EACCES EPERM EEXIST EISDIR ENOTDIR ENOTEMPTY EMFILE ENFILE ENOSPC EROFS EXDEV EBUSY EAGAIN EINVAL EPIPE
  EBADF EIO ENOMEM ECONNREFUSED ECONNRESET ECONNABORTED EADDRINUSE EADDRNOTAVAIL ETIMEDOUT ENOTFOUND EHOSTUNREACH
  ENETUNREACH ERESOLVE ELIFECYCLE EINTEGRITY EUSAGE EOTP`.split(/\s+/),
)

/** Standards that look like issue numbers. */
export const NOT_ISSUES =
  /^(?:UTF|SHA|ISO|RFC|AES|RSA|HTTP|TLS|SSL|IEEE|ECMA|ES|MD|CVE|GPT|PEP|COVID|BASE|X)-/

/** Names in mixed case that are no identifiers. */
export const NOT_SYMBOLS = new Set(
  `github gitlab javascript typescript openai postgresql mongodb mysql graphql nodejs youtube linkedin macos ios
  ipados websocket websockets devops chatgpt deepseek huggingface bigquery dynamodb cloudflare ebay iphone wifi
  readme todo fixme`.split(/\s+/),
)

/** First words of code spans that are code, not a command. */
export const NOT_COMMANDS = new Set(
  `return func function def class const let var if for while switch case import export from type interface package
  struct enum new await async throw try select insert update delete create alter with public private static void
  int string bool fn impl use mod pub`.split(/\s+/),
)
