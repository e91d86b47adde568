/**
 * Permissions of the window: the microphone, copying text and showing a video in full screen, for our own page in the
 * main frame only.
 */
import type { Session } from 'electron';
import { isAppUrl } from '../protocol/app-origin.ts';

export interface PermissionRequest {
  permission: string;
  /** The requester as Chromium names it: an origin or an address. */
  asker: string;
  isMainFrame: boolean;
  /** Empty or unknown kinds are refused, so that a camera is never granted by accident. */
  media: readonly string[];
}

/**
 * Granted to our page without asking the system: `navigator.clipboard.writeText`, which does not let a page read the
 * clipboard, and the full-screen button of a video.
 */
const HARMLESS: readonly string[] = ['clipboard-sanitized-write', 'fullscreen', 'automatic-fullscreen'];

export function isAllowed({ permission, asker, isMainFrame, media }: PermissionRequest): boolean {
  if (!isMainFrame || !isAppUrl(asker)) return false;
  if (HARMLESS.includes(permission)) return true;
  return permission === 'media' && media.length > 0 && media.every((kind) => kind === 'audio');
}

export interface MicrophoneSystem {
  platform: NodeJS.Platform;
  /** macOS only: the learner's decision in the system settings. */
  getMediaAccessStatus: (media: 'microphone') => string;
  askForMediaAccess: (media: 'microphone') => Promise<boolean>;
}

/** macOS gives a silent stream to an app that never asked, so the system is asked before the permission is granted. */
export async function requestMicrophoneAccess(system: MicrophoneSystem): Promise<boolean> {
  if (system.platform !== 'darwin') return true;
  const status = system.getMediaAccessStatus('microphone');
  if (status === 'granted') return true;
  return status === 'not-determined' ? system.askForMediaAccess('microphone') : false;
}

export type GuardedSession = Pick<
  Session,
  'setPermissionCheckHandler' | 'setPermissionRequestHandler' | 'setDevicePermissionHandler'
>;

/** A check is synchronous and can happen at any time; a request happens when the page opens the microphone. */
export function guardPermissions(session: GuardedSession, system: MicrophoneSystem): void {
  session.setPermissionCheckHandler((_contents, permission, origin, { isMainFrame, mediaType }) =>
    isAllowed({ permission, asker: origin, isMainFrame, media: mediaType === undefined ? [] : [mediaType] }),
  );
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const media = 'mediaTypes' in details ? (details.mediaTypes ?? []) : [];
    const asker = details.requestingUrl;
    if (!isAllowed({ permission, asker, isMainFrame: details.isMainFrame, media })) return answer(false);
    if (HARMLESS.includes(permission)) return answer(true);
    requestMicrophoneAccess(system).then(answer, () => answer(false));
  });
  session.setDevicePermissionHandler(() => false);
}
