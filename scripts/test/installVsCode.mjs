/** Installs the VS Code that the tests run in, if it is missing. */
import { main } from '../setup.mjs';
import { ensureVsCode } from '../vscode.mjs';

await main(async () => {
  await ensureVsCode();
  return 0;
});
