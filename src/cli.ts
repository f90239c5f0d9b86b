#!/usr/bin/env node
/** Composition root of the terminal. Checks the version of Node before it loads code that needs a newer one. */
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 22) {
  process.stderr.write(`autonomous: Node ${process.versions.node} is too old, 22 or later is needed\n`);
  process.exitCode = 1;
} else {
  // Read-only verbs should answer at once: compiled code is kept between starts.
  (await import('node:module')).enableCompileCache?.();
  const { main } = await import('./app/main.ts');
  await main(process.argv.slice(2));
}
