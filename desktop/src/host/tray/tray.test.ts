import { NATIVE_TEXT_KEYS, NativeTexts } from '@parley/contract';
import { expect, it } from 'vitest';
import { LATE_DELIVERY } from '../test-kit/test-catalogue.ts';
import { aClock, openHost, startPractice } from '../test-kit/open-host.ts';

const HOUR_MS = 3_600_000;
const texts = {
  native: NativeTexts.parse(Object.fromEntries(NATIVE_TEXT_KEYS.map((key) => [key, key]))),
  open: 'Open Parley',
  practise: 'Practise now',
  review: 'Review',
  quit: 'Quit Parley',
  reminderTitle: 'Time to practise',
  reminderToPractise: 'A short practice keeps your English ready.',
  reminderToReview: 'Some words are due for review.',
  openLink: 'Open a page of Parley?',
  yes: 'Open',
  no: 'Cancel',
};

it('shows nothing before a window has provided the texts', async () => {
  const { host, ask } = await openHost({ hasTray: true });
  expect((await ask.app.about()).hasTray).toBe(true);
  expect(host.readTray()).toBeNull();
  await ask.tray.setTexts(texts);
  expect(host.readTray()).toEqual({ showTray: false, launchAtLogin: false, wordsDue: 0, texts, reminder: null });
  await ask.settings.updateDevice({ showTray: true, launchAtLogin: true });
  expect(host.readTray()).toMatchObject({ showTray: true, launchAtLogin: true });
  await host.close();
});

it('reminds once on each day without practice, at the chosen time', async () => {
  // 10:00 in Berlin.
  const clock = aClock('2026-11-18T09:00:00.000Z');
  const { host, ask, dataDir } = await openHost({ clock });
  await ask.tray.setTexts(texts);
  await ask.settings.updateDevice({ reminderAt: '12:00' });
  expect(host.readTray()?.reminder).toBeNull();
  clock.pass(2 * HOUR_MS);
  expect(host.readTray()?.reminder).toEqual({ title: texts.reminderTitle, body: texts.reminderToPractise });
  expect(host.readTray()?.reminder).toBeNull();
  await host.close();

  const again = await openHost({ clock, dataDir });
  await again.ask.tray.setTexts(texts);
  expect(again.host.readTray()?.reminder).toBeNull();
  clock.pass(24 * HOUR_MS);
  expect(again.host.readTray()?.reminder).not.toBeNull();
  clock.pass(23 * HOUR_MS);
  const { sessionId } = await startPractice(again.ask, 'text');
  await again.ask.practice.sendTyped({ sessionId, text: 'Hello.', hintLevel: 0 });
  clock.pass(HOUR_MS);
  expect(again.host.readTray()?.reminder).toBeNull();
  await again.host.close();
});

it('does not remind on the day on which an older practice was continued', async () => {
  const clock = aClock('2026-11-18T09:00:00.000Z');
  const { host, ask } = await openHost({ clock });
  await ask.tray.setTexts(texts);
  const start = { practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle: 'text' } as const;
  const { sessionId } = await ask.practice.start(start);
  await ask.practice.sendTyped({ sessionId, text: 'Hello.', hintLevel: 0 });
  await ask.practice.start(start);
  clock.pass(48 * HOUR_MS);
  await ask.settings.updateDevice({ reminderAt: '12:00' });
  await ask.practice.sendTyped({ sessionId, text: 'I am here again.', hintLevel: 0 });
  await ask.practice.finish({ sessionId });
  clock.pass(2 * HOUR_MS);
  expect(host.readTray()?.reminder).toBeNull();
  await host.close();
});

it('does not remind on a day with practice, though another is dated in the future', async () => {
  const clock = aClock('2026-11-18T09:00:00.000Z');
  const { host, ask } = await openHost({ clock });
  await ask.tray.setTexts(texts);
  await ask.settings.updateDevice({ reminderAt: '12:00' });
  const start = { practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle: 'text' } as const;
  for (const hours of [72, 0]) {
    clock.pass(hours * HOUR_MS);
    const { sessionId } = await ask.practice.start(start);
    await ask.practice.sendTyped({ sessionId, text: 'Hello.', hintLevel: 0 });
    await ask.practice.finish({ sessionId });
    clock.pass(-hours * HOUR_MS);
  }
  clock.pass(2 * HOUR_MS);
  expect(host.readTray()?.reminder).toBeNull();
  await host.close();
});

it('reminds on a day on which a practice was opened but nothing was said', async () => {
  const clock = aClock('2026-11-18T09:00:00.000Z');
  const { host, ask } = await openHost({ clock });
  await ask.tray.setTexts(texts);
  await ask.settings.updateDevice({ reminderAt: '12:00' });
  const { sessionId } = await startPractice(ask, 'text');
  await ask.practice.finish({ sessionId });
  clock.pass(2 * HOUR_MS);
  expect(host.readTray()?.reminder).not.toBeNull();
  await host.close();
});

it('reminds at the local time of where the computer is now', async () => {
  let timeZone = 'Europe/Berlin';
  // 10:00 in Berlin, 18:00 in Tokyo.
  const { host, ask } = await openHost({ clock: aClock('2026-11-18T09:00:00.000Z'), timeZone: () => timeZone });
  await ask.tray.setTexts(texts);
  await ask.settings.updateDevice({ reminderAt: '17:00' });
  expect(host.readTray()?.reminder).toBeNull();
  timeZone = 'Asia/Tokyo';
  expect(host.readTray()?.reminder).not.toBeNull();
  await host.close();
});

it('refuses a time of day that does not exist', async () => {
  const { host, ask } = await openHost();
  await expect(ask.settings.updateDevice({ reminderAt: '25:00' })).rejects.toThrow();
  await host.close();
});
