/** What a webview loads, on a stand-in for the editor. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, inject, it, vi } from 'vitest';

const editor = vi.hoisted(() => ({ bundle: undefined as Record<string, string> | undefined, language: 'en' }));

vi.mock('vscode', () => ({
  l10n: {
    t: (text: string) => editor.bundle?.[text] ?? text,
    get bundle() {
      return editor.bundle;
    },
  },
  env: {
    get language() {
      return editor.language;
    },
  },
  Uri: {
    joinPath: (base: { fsPath: string }, ...parts: string[]) => ({ fsPath: [base.fsPath, ...parts].join('/') }),
  },
}));

const { pageHtml } = await import('../../../../src/vscode/page/pageHtml.ts');

type Given = Parameters<typeof pageHtml>;

function html(built: boolean): string {
  const folder = mkdtempSync(join(inject('tempRoot'), 'page-'));
  mkdirSync(join(folder, 'dist', 'webview'), { recursive: true });
  const files = built
    ? ['main.js', 'main.js.map', 'chunk-ABC123.js', 'chunk-ABC123.js.map', 'uPlot.esm-ABC123.js']
    : [];
  for (const name of files) writeFileSync(join(folder, 'dist', 'webview', name), '');
  const webview = { cspSource: 'https://source', asWebviewUri: ({ fsPath }: { fsPath: string }) => `https:${fsPath}` };
  return pageHtml(webview as unknown as Given[0], { fsPath: folder } as Given[1], 'sidebar');
}

beforeEach(() => {
  editor.bundle = undefined;
  editor.language = 'en';
});

it('shows that it loads before any script runs, and runs one script alone', () => {
  const page = html(true);
  expect(page).toContain('role="status">Loading…</p>');
  expect(page.match(/<script/g)).toHaveLength(1);
  const nonce = /script-src 'nonce-([^']+)'/.exec(page)?.[1];
  expect(page).toContain(`nonce="${nonce}"`);
  expect(page).toContain("default-src 'none'");
  expect(html(false)).not.toContain('<script');
});

it('asks at once for what its script begins with, and for nothing that comes later', () => {
  const preloads = html(true).match(/<link rel="modulepreload"[^>]*>/g) ?? [];
  expect(preloads).toHaveLength(1);
  expect(preloads[0]).toMatch(/nonce="[^"]+" href="https:[^"]*\/dist\/webview\/chunk-ABC123\.js"/);
});

it('brings the words of a language that there is, and else says that it is English', () => {
  editor.language = 'fr';
  expect(html(true)).toContain('<html lang="en">');
  expect(html(true)).not.toContain('data-texts');
  editor.language = 'de';
  editor.bundle = { 'Loading…': 'Wird geladen…', 'Budget of "{0}"': 'Budget von <{0}> & "mehr"' };
  const page = html(true);
  expect(page).toContain('<html lang="de">');
  expect(page).toContain('Wird geladen…</p>');
  const texts = /data-texts="([^"]*)"/.exec(page)?.[1] ?? '';
  expect(texts).not.toMatch(/[<"]/);
  const read = texts.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  expect(JSON.parse(read)).toEqual(editor.bundle);
});
