/** The HTML of a webview: the built bundle under a strict content policy, or a plain message if it was not built. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import * as vscode from 'vscode';

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** The folder of the page's files. */
export function pageRoot(extension: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extension, 'dist', 'webview');
}

/** The same placeholder as `Loading` of the page. Shown until the script runs; the page then shows its own until the first snapshot. */
function loading(): string {
  const bones = '<i></i>'.repeat(6);
  const text = escaped(vscode.l10n.t('Loading…'));
  return `<main class="loading"><p class="unseen" role="status">${text}</p><div class="bones" aria-hidden="true">${bones}</div></main>`;
}

/** The page's texts in the editor's language. English if there is no bundle for it. */
function words(): { readonly language: string; readonly texts: string } {
  const { bundle } = vscode.l10n;
  if (bundle === undefined) return { language: 'en', texts: '' };
  return { language: vscode.env.language, texts: ` data-texts="${escaped(JSON.stringify(bundle))}"` };
}

/** Static imports of main.js, preloaded together with it. */
const CHUNK = /^chunk-\w+\.js$/;

/** `place`: narrow in the sidebar, or wide in a tab. */
export function pageHtml(webview: vscode.Webview, extension: vscode.Uri, place: 'sidebar' | 'board'): string {
  const file = (name: string): vscode.Uri => vscode.Uri.joinPath(pageRoot(extension), name);
  const nonce = randomBytes(18).toString('base64');
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource}`,
  ].join('; ');
  const built = existsSync(file('main.js').fsPath);
  const source = (name: string): string => escaped(webview.asWebviewUri(file(name)).toString());
  const head = built
    ? [
        ...readdirSync(pageRoot(extension).fsPath)
          .filter((name) => CHUNK.test(name))
          .map((name) => `<link rel="modulepreload" nonce="${nonce}" href="${source(name)}">`),
        `<link rel="stylesheet" href="${source('main.css')}">`,
      ].join('\n')
    : '';
  const body = built
    ? `<div id="root">${loading()}</div><script type="module" nonce="${nonce}" src="${source('main.js')}"></script>`
    : `<p>${escaped(vscode.l10n.t('The page of the board is missing in this build of Autonomous: run the build again.'))}</p>`;
  const { language, texts } = words();
  return `<!DOCTYPE html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Autonomous</title>
${head}
</head>
<body data-view="${place}"${texts}>${body}</body>
</html>`;
}
