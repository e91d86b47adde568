import { describe, expect, it } from 'vitest';
import { APP_URL, isAppUrl } from './app-origin.ts';

describe("the app's own address", () => {
  it.each([APP_URL, 'parley://app', 'parley://app/index.html#/history', 'PARLEY://app/'])('is %s', (address) => {
    expect(isAppUrl(address)).toBe(true);
  });

  it.each([
    'parley://apple/',
    'parley://app.example/',
    'parley://evil@app/',
    'parley://app:99/',
    'https://app/',
    'file:///index.html',
    'data:text/html,parley://app/',
    'null',
    '',
  ])('is not %s', (address) => {
    expect(isAppUrl(address)).toBe(false);
  });
});
