import { describe, expect, it } from 'vitest';
import { askSystemForMicrophone, mayUse } from './permission-policy.ts';

const microphone = { permission: 'media', asker: 'parley://app/', isMainFrame: true, media: ['audio'] };

describe('permissions', () => {
  it('give our page the microphone', () => {
    expect(mayUse(microphone)).toBe(true);
  });

  it.each([
    ['the camera', { media: ['video'] }],
    ['the camera beside the microphone', { media: ['audio', 'video'] }],
    ['media of no kind', { media: [] }],
    ['media of an unknown kind', { media: ['unknown'] }],
    ['the screen', { permission: 'display-capture' }],
    ['the place', { permission: 'geolocation' }],
    ['notifications', { permission: 'notifications' }],
    ['devices', { permission: 'usb' }],
    ['the clipboard', { permission: 'clipboard-read' }],
    ['another origin', { asker: 'https://example.org/' }],
    ['a look-alike', { asker: 'parley://app.example.org/' }],
    ['nobody', { asker: '' }],
    ['a frame inside our page', { isMainFrame: false }],
  ])('refuse %s', (_name, change) => {
    expect(mayUse({ ...microphone, ...change })).toBe(false);
  });
});

describe('macOS', () => {
  const system = (status: string, answer = true) => {
    const asked: string[] = [];
    return {
      asked,
      platform: 'darwin' as const,
      getMediaAccessStatus: () => status,
      askForMediaAccess: async (media: string) => {
        asked.push(media);
        return answer;
      },
    };
  };

  it('is asked once, and its answer holds', async () => {
    const undecided = system('not-determined', false);
    expect(await askSystemForMicrophone(undecided)).toBe(false);
    expect(undecided.asked).toEqual(['microphone']);
    expect(await askSystemForMicrophone(system('not-determined', true))).toBe(true);
  });

  it('is not asked again after a yes or a no', async () => {
    for (const [status, expected] of [
      ['granted', true],
      ['denied', false],
      ['restricted', false],
    ] as const) {
      const decided = system(status);
      expect(await askSystemForMicrophone(decided)).toBe(expected);
      expect(decided.asked).toEqual([]);
    }
  });

  it('is the only system that is asked', async () => {
    expect(await askSystemForMicrophone({ ...system('denied'), platform: 'win32' })).toBe(true);
  });
});
