import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restoreBounds, readWindowState, saveWindowState } from './window-state.ts';

const main = { x: 0, y: 25, width: 1440, height: 875 };
const second = { x: 1440, y: 0, width: 1920, height: 1080 };
const saved = (bounds: { x: number; y: number; width: number; height: number }, isMaximized = false) => ({
  bounds,
  isMaximized,
});

describe('a window', () => {
  it('opens in the middle at first', () => {
    expect(restoreBounds(null, [main])).toEqual({ width: 1280, height: 840, isMaximized: false });
  });

  it('opens at its last position on any screen', () => {
    const bounds = { x: 1500, y: 40, width: 1000, height: 700 };
    expect(restoreBounds(saved(bounds, true), [main, second])).toEqual({ ...bounds, isMaximized: true });
  });

  it('moves back when its screen was unplugged', () => {
    const bounds = { x: 1500, y: 40, width: 1600, height: 1000 };
    expect(restoreBounds(saved(bounds), [main])).toEqual({ width: 1440, height: 875, isMaximized: false });
  });

  it.each([
    ['above the screen', { x: 100, y: -300, width: 1000, height: 700 }],
    ['below the screen', { x: 100, y: 890, width: 1000, height: 700 }],
    ['but a sliver from the left', { x: -950, y: 100, width: 1000, height: 700 }],
  ])('does not stay %s', (_name, bounds) => {
    expect(restoreBounds(saved(bounds), [main])).not.toHaveProperty('x');
  });

  it('is never smaller than its minimum or larger than its screen', () => {
    expect(restoreBounds(saved({ x: 10, y: 30, width: 5, height: 5 }), [main])).not.toHaveProperty('x');
    expect(restoreBounds(saved({ x: 10, y: 30, width: 300, height: 300 }), [main])).toMatchObject({
      width: 480,
      height: 560,
    });
    expect(restoreBounds(saved({ x: 0, y: 30, width: 9000, height: 9000 }), [main])).toMatchObject({
      width: 1440,
      height: 875,
    });
  });
});

describe('a saved window state', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-window-'));
  const file = join(folder, 'window-state.json');

  it('is read again', () => {
    const state = saved({ x: -3, y: 25, width: 900, height: 700 }, true);
    saveWindowState(file, state);
    expect(readWindowState(file)).toEqual(state);
  });

  it.each(['', '{', '[]', '{"bounds":{"x":0,"y":0,"width":-1,"height":5},"isMaximized":false}'])(
    'is ignored when it reads %j',
    (text) => {
      writeFileSync(file, text);
      expect(readWindowState(file)).toBeNull();
    },
  );

  it('never prevents a window from opening, even when unreadable', () => {
    expect(readWindowState(join(folder, 'none.json'))).toBeNull();
    expect(() => saveWindowState(join(folder, 'none', 'x.json'), saved(main))).not.toThrow();
  });
});
