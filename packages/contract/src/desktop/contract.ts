/** Every procedure that the renderer can call on the host, independent of the transport. */
import { eventIterator } from '@orpc/contract';
import {
  CoachId,
  CoachVoice,
  ENGLISH_LEVELS,
  IMAGE_MAX_LENGTH,
  PRACTICE_DIFFICULTIES,
  PRACTICE_STYLES,
  SessionId,
} from '@parley/domain';
import { z } from 'zod';
import { CoachAvailability } from '../server/coach.ts';
import { LocalModel, LocalModels } from '../server/local-models.ts';
import { MUTATION_REJECTIONS } from '../sync/messages.ts';
import { accountContract, billingContract } from './account.ts';
import { base } from './base.ts';
import { blogContract } from './content/blog.ts';
import { realtimeContract } from './practice/realtime.ts';
import { catalogueContract, CoachAssignment } from './content/catalogue.ts';
import { coursesContract } from './content/courses.ts';
import { drillContract } from './practice/drill.ts';
import { importContract } from './import.ts';
import { serverChoiceContract } from './server-choice.ts';
import { REPAIR_OUTCOMES, RestoreNotice, supportContract, SWITCH_FAILURES } from './support.ts';
import { SyncStatus } from './sync-status.ts';
import { trayContract } from './tray.ts';
import { TypedText } from './typed-text.ts';
import { progressContract } from './progress.ts';
import { recordingsContract } from './recordings.ts';
import { reportsContract } from './practice/reports.ts';
import { reviewContract } from './practice/review.ts';
import { shadowingContract } from './practice/shadowing.ts';
import { speechPackContract } from './speech-pack.ts';
import { videosContract } from './content/video-copies.ts';
import { historyContract, practiceContract } from './practice/practice.ts';
import { todayContract } from './practice/today.ts';

export const THEMES = ['system', 'light', 'dark'] as const;

export const TEXT_SIZES = ['normal', 'large', 'larger'] as const;

/** Settings stored on this device only. */
export const DeviceSettings = z.object({
  theme: z.enum(THEMES),
  /**
   * The language of the interface as a tag such as `pt-BR`; null follows the system. Practised texts stay in English.
   */
  language: z.string().min(2).max(35).nullable(),
  /** The language in which the interface was last shown, for e-mails; null before the first window. */
  shownLanguage: z.string().min(2).max(35).nullable(),
  textSize: z.enum(TEXT_SIZES),
  /** Null for the system's default microphone. */
  microphoneId: z.string().max(200).nullable(),
  microphoneChecked: z.boolean(),
  /** The browser's processing of the microphone signal. Echo is always cancelled in calls. */
  echoCancellation: z.boolean(),
  noiseSuppression: z.boolean(),
  autoGainControl: z.boolean(),
  /** Null for the system's default loudspeaker or headset. */
  speakerId: z.string().max(200).nullable(),
  /** Plays short sounds when a recording starts and stops, when it is the learner's turn, and when nothing was understood. */
  soundCues: z.boolean(),
  /** Shows the coach's utterances as text while they are spoken. */
  captions: z.boolean(),
  coachSpeed: z.number().min(0.5).max(1.5),
  /** The English name of the language into which coach utterances are translated; null when none was chosen. */
  ownLanguage: z.string().min(2).max(60).nullable(),
  /** The silence that ends a spoken turn automatically, in milliseconds; null when only the button ends it. */
  patienceMs: z.union([z.literal(1_000), z.literal(2_000), z.literal(3_000)]).nullable(),
  /** Whether Parley decides when a spoken turn is over; only where `patienceMs` is null. In a call, the coach does. */
  endsTurnAutomatically: z.boolean(),
  /**
   * The session that was the newest when the learner last answered a suggestion of another level; null if they never
   * did.
   */
  levelAnsweredAt: SessionId.nullable(),
  /** The local model that the learner has chosen as a coach; null when none is chosen. */
  localCoach: LocalModel.nullable(),
  /** The local model that the learner has chosen for transcription; null when none is chosen. */
  localTranscriber: LocalModel.nullable(),
  /** The local time of a daily reminder on this device, as `HH:MM`; null if the learner wants none. */
  reminderAt: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .nullable(),
  /** The learner's day of the last reminder; null before the first. */
  remindedOn: z.iso.date().nullable(),
  /** Whether Parley stays in the system's tray when its window is closed. */
  showTray: z.boolean(),
  launchAtLogin: z.boolean(),
  /** Whether Parley asks after a crash if a report may be sent to the server. */
  offersCrashReports: z.boolean(),
});
export type DeviceSettings = z.infer<typeof DeviceSettings>;

/** The learner's own fields, which sync. */
export const Profile = z.object({
  firstName: TypedText.max(200).nullable(),
  lastName: TypedText.max(200).nullable(),
  jobTitle: TypedText.max(200).nullable(),
  /** A small picture as a `data:` address. */
  avatarUrl: z.string().max(IMAGE_MAX_LENGTH).nullable(),
  industry: z.uuid().nullable(),
  agentId: CoachId.nullable(),
  englishLevel: z.enum(ENGLISH_LEVELS).nullable(),
  practiceDifficulty: z.enum(PRACTICE_DIFFICULTIES).nullable(),
  practiceStyle: z.enum(PRACTICE_STYLES).nullable(),
  emailNotifications: z.boolean(),
  hasSeenOnboarding: z.boolean(),
});
export type Profile = z.infer<typeof Profile>;

export const MICROPHONE_VERDICTS = ['good', 'noisy', 'too_quiet', 'clipped', 'silent'] as const;

export const MicrophoneReport = z.object({ verdict: z.enum(MICROPHONE_VERDICTS) });
export type MicrophoneReport = z.infer<typeof MicrophoneReport>;

/**
 * The server's rejection codes, and those that a device assigns itself: the server failed on the change, the change is too large for any
 * request, or the account is out of storage. The last kind is sent again later.
 */
export const REJECTION_CODES = [...MUTATION_REJECTIONS, 'internal_error', 'too_large', 'storage_full'] as const;
export type RejectionCode = (typeof REJECTION_CODES)[number];

export const RejectedChange = z.object({
  id: z.uuid(),
  table: z.string(),
  code: z.enum(REJECTION_CODES),
  /** The field that caused the rejection, if there is one. */
  field: z.string().nullable(),
  /** The rejected values by field, in wire format. */
  fields: z.record(z.string(), z.unknown()),
  at: z.date(),
});
export type RejectedChange = z.infer<typeof RejectedChange>;

export const HostEvent = z.discriminatedUnion('type', [
  /** The listed tables changed, so views that show them must reload. */
  z.object({ type: z.literal('data_changed'), tables: z.array(z.string()) }),
  z.object({ type: z.literal('sync_status'), status: SyncStatus }),
  /** Another profile is being opened, so the window must reload. */
  z.object({ type: z.literal('reopening') }),
]);
export type HostEvent = z.infer<typeof HostEvent>;

const coachContract = {
  /** What the server offers beyond this device's own abilities; empty when the server cannot be reached. */
  offer: base.input(z.void()).output(CoachAvailability),
  /** Models on this computer that can be selected; empty when the server runs on another computer. Probes on every call. */
  local: base.input(z.void()).output(LocalModels),
  /** Called before a conversation with a live coach, so that a local model is loaded in time. It never fails. */
  warmUp: base.input(z.void()).output(z.void()),
  /** What a live coach remembers about the learner, one fact per line. */
  memory: base.input(z.void()).output(z.object({ lines: z.array(z.string()) })),
  /** The coaches that the learner has had, most recent first. */
  history: base.input(z.void()).output(z.array(CoachAssignment)),
  forget: base.input(z.object({ line: z.string().min(1).max(400) })).output(z.void()),
};

const voiceContract = {
  /** Synthesises speech with the bundled voice, for systems without an English voice. Returns a WAV file. */
  speak: base
    .input(z.object({ text: z.string().min(1).max(4_000), voice: CoachVoice, rate: z.number().min(0.4).max(2) }))
    .output(z.instanceof(Blob)),
  /**
   * Streams the server's voice for a coach's utterance or a segment of it, while it is synthesised: base64 of 16-bit mono PCM at 24 kHz,
   * in whole samples.
   */
  speakLine: base
    .input(z.object({ text: z.string().min(1).max(4_000), voice: CoachVoice }))
    .output(eventIterator(z.base64())),
};

const microphoneContract = {
  check: base.input(z.object({ pcm: z.instanceof(Blob) })).output(MicrophoneReport),
};

const settingsContract = {
  read: base.input(z.void()).output(z.object({ device: DeviceSettings, profile: Profile })),
  updateDevice: base.input(DeviceSettings.partial()).output(DeviceSettings),
  updateProfile: base.input(Profile.partial()).output(Profile),
};

const syncContract = {
  status: base.input(z.void()).output(SyncStatus),
  /** Pushes and pulls now, and returns the resulting status. */
  run: base.input(z.void()).output(SyncStatus),
  rejected: base.input(z.void()).output(z.array(RejectedChange)),
  dismissRejected: base.input(z.object({ id: z.uuid() })).output(z.void()),
};

const appContract = {
  about: base.input(z.void()).output(
    z.object({
      version: z.string(),
      dataFolder: z.string(),
      serverAddress: z.string().nullable(),
      /** Set when the database was restored from a backup at this start. */
      restoredFrom: z.date().nullable(),
      restoreNotice: RestoreNotice.nullable(),
      /** When the data of an account was deleted here because its owner requested it on another device; null once the notice is dismissed. */
      wipedAt: z.date().nullable(),
      /** Set at the start that follows a repair. */
      repaired: z.enum(REPAIR_OUTCOMES).nullable(),
      /** Set when the data of another server could not be opened and the former one's was opened again. */
      switchFailure: z.enum(SWITCH_FAILURES).nullable(),
      isSafeMode: z.boolean(),
      /** Whether the app can stay in the system's tray, notify, and start at login. */
      hasTray: z.boolean(),
    }),
  ),
  dismissRestoreNotice: base.input(z.void()).output(z.void()),
  dismissWipeNotice: base.input(z.void()).output(z.void()),
  /** Takes the IANA name of the window's time zone, because on Windows only a window notices that it has changed. */
  reportTimeZone: base.input(z.object({ timeZone: z.string().max(80) })).output(z.void()),
  events: base.input(z.void()).output(eventIterator(HostEvent)),
};

/** Spelled out, because the inferred type is longer than the compiler writes into a declaration file. */
type DesktopContract = {
  catalogue: typeof catalogueContract;
  courses: typeof coursesContract;
  videos: typeof videosContract;
  speechPack: typeof speechPackContract;
  blog: typeof blogContract;
  practice: typeof practiceContract;
  call: typeof realtimeContract;
  drill: typeof drillContract;
  coach: typeof coachContract;
  reports: typeof reportsContract;
  review: typeof reviewContract;
  progress: typeof progressContract;
  shadowing: typeof shadowingContract;
  history: typeof historyContract;
  today: typeof todayContract;
  recordings: typeof recordingsContract;
  voice: typeof voiceContract;
  microphone: typeof microphoneContract;
  settings: typeof settingsContract;
  sync: typeof syncContract;
  account: typeof accountContract;
  import: typeof importContract;
  billing: typeof billingContract;
  server: typeof serverChoiceContract;
  support: typeof supportContract;
  tray: typeof trayContract;
  app: typeof appContract;
};

export const desktopContract: DesktopContract = {
  catalogue: catalogueContract,
  courses: coursesContract,
  videos: videosContract,
  speechPack: speechPackContract,
  blog: blogContract,
  practice: practiceContract,
  call: realtimeContract,
  drill: drillContract,
  coach: coachContract,
  reports: reportsContract,
  review: reviewContract,
  progress: progressContract,
  shadowing: shadowingContract,
  history: historyContract,
  today: todayContract,
  recordings: recordingsContract,
  voice: voiceContract,
  microphone: microphoneContract,
  settings: settingsContract,
  sync: syncContract,
  account: accountContract,
  import: importContract,
  billing: billingContract,
  server: serverChoiceContract,
  support: supportContract,
  tray: trayContract,
  app: appContract,
};
