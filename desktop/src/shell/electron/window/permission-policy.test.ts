import { describe, expect, it } from 'vitest';
import { type GuardedSession, guardPermissions, requestMicrophoneAccess, isAllowed } from './permission-policy.ts';

const microphone = { permission: 'media', asker: 'parley://app/', isMainFrame: true, media: ['audio'] };

describe('permissions', () => {
  it('allow our page to use the microphone', () => {
    expect(isAllowed(microphone)).toBe(true);
  });

  it('allow our page to copy a text', () => {
    const copy = { ...microphone, permission: 'clipboard-sanitized-write', media: [] };
    expect(isAllowed(copy)).toBe(true);
    expect(isAllowed({ ...copy, asker: 'https://example.org/' })).toBe(false);
    expect(isAllowed({ ...copy, isMainFrame: false })).toBe(false);
  });

  it.each(['fullscreen', 'automatic-fullscreen'])(
    'allow our page to show a video in full screen (%s)',
    (permission) => {
      const video = { ...microphone, permission, media: [] };
      expect(isAllowed(video)).toBe(true);
      expect(isAllowed({ ...video, asker: 'https://example.org/' })).toBe(false);
      expect(isAllowed({ ...video, isMainFrame: false })).toBe(false);
    },
  );

  it.each([
    ['the camera', { media: ['video'] }],
    ['the camera beside the microphone', { media: ['audio', 'video'] }],
    ['media without a kind', { media: [] }],
    ['media of an unknown kind', { media: ['unknown'] }],
    ['the screen', { permission: 'display-capture' }],
    ['the place', { permission: 'geolocation' }],
    ['notifications', { permission: 'notifications' }],
    ['devices', { permission: 'usb' }],
    ['the clipboard', { permission: 'clipboard-read' }],
    ['another origin', { asker: 'https://example.org/' }],
    ['a look-alike', { asker: 'parley://app.example.org/' }],
    ['an empty requester', { asker: '' }],
    ['a frame inside our page', { isMainFrame: false }],
  ])('refuse %s', (_name, change) => {
    expect(isAllowed({ ...microphone, ...change })).toBe(false);
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
    expect(await requestMicrophoneAccess(undecided)).toBe(false);
    expect(undecided.asked).toEqual(['microphone']);
    expect(await requestMicrophoneAccess(system('not-determined', true))).toBe(true);
  });

  it('is not asked again after a decision', async () => {
    for (const [status, expected] of [
      ['granted', true],
      ['denied', false],
      ['restricted', false],
    ] as const) {
      const decided = system(status);
      expect(await requestMicrophoneAccess(decided)).toBe(expected);
      expect(decided.asked).toEqual([]);
    }
  });

  it('is the only system that is asked', async () => {
    expect(await requestMicrophoneAccess({ ...system('denied'), platform: 'win32' })).toBe(true);
  });

  it.each(['clipboard-sanitized-write', 'fullscreen'])('is not asked for the microphone for %s', async (permission) => {
    const undecided = system('not-determined', false);
    let onRequest: Parameters<GuardedSession['setPermissionRequestHandler']>[0] = null;
    guardPermissions(
      {
        setPermissionCheckHandler: () => undefined,
        setPermissionRequestHandler: (handler) => void (onRequest = handler),
        setDevicePermissionHandler: () => undefined,
      },
      undecided,
    );
    const details = { requestingUrl: 'parley://app/', isMainFrame: true };
    const ask = onRequest as unknown as (...request: unknown[]) => void;
    const answer = await new Promise((resolve) => ask(null, permission, resolve, details));
    expect(answer).toBe(true);
    expect(undecided.asked).toEqual([]);
  });
});
