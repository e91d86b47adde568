/** What the window may use of the machine: the microphone, for our own page in the main frame, and nothing else. */
import type { Session } from 'electron';
import { isAppUrl } from './app-origin.ts';

export interface PermissionQuestion {
  permission: string;
  /** Who asks, as Chromium names it: an origin or an address. */
  asker: string;
  isMainFrame: boolean;
  /** Empty or unknown kinds are refused: a camera must not come along unseen. */
  media: readonly string[];
}

export function mayUse({ permission, asker, isMainFrame, media }: PermissionQuestion): boolean {
  return (
    permission === 'media' &&
    isMainFrame &&
    isAppUrl(asker) &&
    media.length > 0 &&
    media.every((kind) => kind === 'audio')
  );
}

export interface MicrophoneSystem {
  platform: NodeJS.Platform;
  /** macOS only: what the learner has told the system. */
  getMediaAccessStatus: (media: 'microphone') => string;
  askForMediaAccess: (media: 'microphone') => Promise<boolean>;
}

/** macOS gives a silent stream to an app that it was never asked about: it is asked before the window gets its yes. */
export async function askSystemForMicrophone(system: MicrophoneSystem): Promise<boolean> {
  if (system.platform !== 'darwin') return true;
  const status = system.getMediaAccessStatus('microphone');
  if (status === 'granted') return true;
  return status === 'not-determined' ? system.askForMediaAccess('microphone') : false;
}

export type GuardedSession = Pick<
  Session,
  'setPermissionCheckHandler' | 'setPermissionRequestHandler' | 'setDevicePermissionHandler'
>;

/** A check is asked at any time and answered at once; a request is asked when the page wants the microphone now. */
export function guardPermissions(session: GuardedSession, system: MicrophoneSystem): void {
  session.setPermissionCheckHandler((_contents, permission, origin, { isMainFrame, mediaType }) =>
    mayUse({ permission, asker: origin, isMainFrame, media: mediaType === undefined ? [] : [mediaType] }),
  );
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const media = 'mediaTypes' in details ? (details.mediaTypes ?? []) : [];
    const asker = details.requestingUrl;
    if (!mayUse({ permission, asker, isMainFrame: details.isMainFrame, media })) return answer(false);
    askSystemForMicrophone(system).then(answer, () => answer(false));
  });
  session.setDevicePermissionHandler(() => false);
}
