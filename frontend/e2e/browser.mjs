// Debian's Chromium, driven by playwright-core, and what the tests share.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { ROOT } from './stack.mjs';

export const URL_BASE = process.env.E2E_URL;
export const WIDE = { width: 1280, height: 860 };
export const NARROW = { width: 360, height: 780 };

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** A page of its own, which fails the test when a script throws or the policy is violated. */
export async function open(browser, path, options = {}) {
  const context = await browser.newContext({ viewport: WIDE, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  page.setDefaultTimeout(60_000);
  await page.goto(`${options.baseURL ?? URL_BASE}${path}`);
  return {
    page,
    close: async () => {
      await context.close();
      assert.deepEqual(faults, []);
    },
  };
}

/** A picture for the documentation; taken only when E2E_SCREENSHOTS is set. */
export async function picture(page, name) {
  if (!process.env.E2E_SCREENSHOTS) return;
  const path = fileURLToPath(new URL(`docs/screenshots/${name}.png`, `file://${ROOT}`));
  await page.screenshot({ path });
}
