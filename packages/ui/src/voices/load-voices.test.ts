import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadVoices } from './load-voices.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A system whose voices arrive when the test says so. */
function aSystem(atOnce: readonly string[] = []) {
  let names = atOnce;
  const synthesis = Object.assign(new EventTarget(), { getVoices: () => names.map((name) => ({ name })) });
  vi.stubGlobal('speechSynthesis', synthesis);
  return {
    announce: (arrived: readonly string[]) => {
      names = arrived;
      synthesis.dispatchEvent(new Event('voiceschanged'));
    },
  };
}

const loadNames = async (): Promise<string[]> => (await loadVoices()).map(({ name }) => name);

describe('the voices of the system', () => {
  it('are there at once when they were asked for before', async () => {
    aSystem(['Samantha']);
    expect(await loadNames()).toEqual(['Samantha']);
  });

  it('are waited for the first time, also when the first announcement names none', async () => {
    const system = aSystem();
    const names = loadNames();
    system.announce([]);
    system.announce(['Samantha']);
    expect(await names).toEqual(['Samantha']);
  });

  it('are waited for only once and for a second where there are none', async () => {
    vi.useFakeTimers();
    aSystem();
    const names = loadNames();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await names).toEqual([]);
    expect(await loadNames()).toEqual([]);
  });

  it('are those that were installed meanwhile', async () => {
    vi.useFakeTimers();
    const system = aSystem();
    const none = loadNames();
    await vi.advanceTimersByTimeAsync(1_000);
    await none;
    system.announce(['Daniel']);
    expect(await loadNames()).toEqual(['Daniel']);
  });
});
