/** `node scripts/icon.mjs <path of a Chromium>`: draws media/icon.svg into media/icon.png, 128 × 128 with clear corners. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const media = new URL('../media/', import.meta.url);
const [executablePath] = process.argv.slice(2);
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
try {
  const page = await browser.newPage({ viewport: { width: 128, height: 128 } });
  await page.setContent(
    `<style>*{margin:0}svg{display:block}</style>${readFileSync(new URL('icon.svg', media), 'utf8')}`,
  );
  await page.screenshot({ path: fileURLToPath(new URL('icon.png', media)), omitBackground: true });
} finally {
  await browser.close();
}
