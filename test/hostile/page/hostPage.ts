/** The host's own page, as its program makes it, with the stand-in for VS Code before its script: its policy is the one that is judged. */
import type { PlantedBug } from '../../support/suite/plantedBug.ts';
import { hostWith } from './hostBundle.ts';

interface Uri {
  readonly fsPath: string;
}

/** As much of the editor as a page is made of: the extension's folder is the bundle's. */
const EDITOR = {
  Uri: {
    joinPath: ({ fsPath }: Uri, ...parts: readonly string[]): Uri => ({
      fsPath: [fsPath, ...parts.filter((part) => part !== 'dist' && part !== 'webview')].join('/'),
    }),
  },
  l10n: { t: (text: string) => text, bundle: undefined },
  env: { language: 'en' },
};

interface Host {
  readonly pageHtml: typeof import('../../../src/vscode/page/pageHtml.ts').pageHtml;
}

const STAND_IN = (nonce: string) => `<script nonce="${nonce}">window.violations = [];
  addEventListener('securitypolicyviolation', (event) => window.violations.push(event.violatedDirective + ' ' + event.blockedURI));</script>
  <script nonce="${nonce}" src="/fake.js"></script>`;

/** `folder`: where the page's files lie. */
export async function hostPage(
  tempRoot: string,
  folder: string,
  bug: PlantedBug | null,
): Promise<(origin: string) => string> {
  const { pageHtml } = await hostWith<Host>(tempRoot, ['src/vscode/page/pageHtml.ts'], EDITOR, bug);
  return (origin) => {
    const webview = {
      cspSource: origin,
      asWebviewUri: ({ fsPath }: Uri) => ({ toString: () => `${origin}/${fsPath.split('/').at(-1)}` }),
    };
    const html = pageHtml(webview as never, { fsPath: folder } as never, 'board');
    const nonce = /'nonce-([^']+)'/.exec(html)?.[1] ?? '';
    return html.replace('<script type="module"', () => `${STAND_IN(nonce)}<script type="module"`);
  };
}
