import { expect, it } from 'vitest';
import { createTimeZone } from './time-zone.ts';

function aTimeZone(platform: NodeJS.Platform) {
  const computer = { zone: 'Europe/Berlin', ms: 0 };
  const source = createTimeZone({ platform, detect: () => computer.zone, nowMs: () => computer.ms });
  return { computer, source };
}

it('uses the new time zone of the computer after a change', () => {
  const { computer, source } = aTimeZone('darwin');
  expect(source.current()).toBe('Europe/Berlin');
  computer.zone = 'Asia/Tokyo';
  computer.ms += 60_000;
  expect(source.current()).toBe('Asia/Tokyo');
});

it('keeps the zone while the computer’s is unknown', () => {
  const { computer, source } = aTimeZone('linux');
  expect(source.current()).toBe('Europe/Berlin');
  computer.zone = 'Etc/Unknown';
  computer.ms += 60_000;
  expect(source.current()).toBe('Europe/Berlin');
});

it('takes a window’s zone on Windows, where the process keeps its first one', () => {
  const { source } = aTimeZone('win32');
  source.report('Asia/Tokyo');
  source.report('Nowhere/Land');
  expect(source.current()).toBe('Asia/Tokyo');
  const { source: detecting } = aTimeZone('linux');
  detecting.report('UTC');
  expect(detecting.current()).toBe('Europe/Berlin');
});

it('sees a change that is made while Node runs', () => {
  const { TZ } = process.env;
  const computer = { ms: 0 };
  const source = createTimeZone({ platform: 'linux', nowMs: () => computer.ms });
  try {
    for (const zone of ['Asia/Tokyo', 'America/Lima']) {
      process.env['TZ'] = zone;
      computer.ms += 60_000;
      expect(source.current()).toBe(zone);
    }
  } finally {
    if (TZ === undefined) delete process.env['TZ'];
    else process.env['TZ'] = TZ;
  }
});
