/** The host's own page, as its program makes it, with the stand-in for VS Code before its script: its policy is the one that is judged. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { type PlantedBug, planting } from '../../support/plantedBug.ts';

/** As much of the editor as a page is made of: the extension's folder is the bundle's. */
const EDITOR = `
  const joinPath = (base, ...parts) => ({ fsPath: [base.fsPath, ...parts.filter((part) => part !== 'dist' && part !== 'webview')].join('/') });
  export const Uri = { joinPath };
  export const l10n = { t: (text) => text, bundle: undefined };
  export const env = { language: 'en' };
`;

const editor: Plugin = {
  name: 'editor',
  setup(made) {
    made.onResolve({ filter: /^vscode$/ }, () => ({ path: 'vscode', namespace: 'editor' }));
    made.onLoad({ filter: /.*/, namespace: 'editor' }, () => ({ contents: EDITOR, loader: 'js' }));
  },
};

type PageHtml = typeof import('../../../src/host/board/pageHtml.ts').pageHtml;

const STAND_IN = (nonce: string) => `<script nonce="${nonce}">window.violations = [];
  addEventListener('securitypolicyviolation', (event) => window.violations.push(event.violatedDirective + ' ' + event.blockedURI));</script>
  <script nonce="${nonce}" src="/fake.js"></script>`;

/** `folder`: where the page's files lie. */
export async function hostPage(
  tempRoot: string,
  folder: string,
  bug: PlantedBug | null,
): Promise<(origin: string) => string> {
  const made = await mkdtemp(join(tempRoot, 'page-'));
  try {
    const { outputFiles } = await build({
      entryPoints: ['src/host/board/pageHtml.ts'],
      bundle: true,
      format: 'esm',
      platform: 'node',
      write: false,
      plugins: [editor, ...(bug === null ? [] : [planting(bug)])],
    });
    const file = join(made, 'pageHtml.mjs');
    await writeFile(file, outputFiles[0]?.text ?? '');
    const { pageHtml } = (await import(pathToFileURL(file).href)) as { pageHtml: PageHtml };
    return (origin) => {
      const webview = {
        cspSource: origin,
        asWebviewUri: ({ fsPath }: { fsPath: string }) => ({ toString: () => `${origin}/${fsPath.split('/').at(-1)}` }),
      };
      const html = pageHtml(webview as never, { fsPath: folder } as never, 'board');
      const nonce = /'nonce-([^']+)'/.exec(html)?.[1] ?? '';
      return html.replace('<script type="module"', () => `${STAND_IN(nonce)}<script type="module"`);
    };
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}
