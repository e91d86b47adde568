/** Everything the renderer may ask of the host. It cannot tell over what the words travel. */
import { eventIterator } from '@orpc/contract';
import {
  CoachId,
  CoachVoice,
  ENGLISH_LEVELS,
  PRACTICE_DIFFICULTIES,
  PRACTICE_STYLES,
  RecordingId,
} from '@parley/domain';
import { z } from 'zod';
import { CoachOffer } from '../server/coach.ts';
import { LocalModel, LocalModels } from '../server/local-models.ts';
import { MUTATION_REJECTIONS } from '../sync/messages.ts';
import { accountContract, billingContract } from './account.ts';
import { base } from './base.ts';
import { callContract } from './call.ts';
import { catalogueContract } from './catalogue.ts';
import { drillContract } from './drill.ts';
import { serverChoiceContract } from './server.ts';
import { SyncStatus } from './sync-status.ts';
import { historyContract, practiceContract, todayContract } from './practice.ts';

export const THEMES = ['system', 'light', 'dark'] as const;

/** Kept on this device alone. */
export const DeviceSettings = z.object({
  theme: z.enum(THEMES),
  /** Null: the system's default microphone. */
  microphoneId: z.string().max(200).nullable(),
  microphoneChecked: z.boolean(),
  /** The coach's lines are shown as text as well as spoken. */
  captions: z.boolean(),
  coachSpeed: z.number().min(0.5).max(1.5),
  /** Into which language a coach's line is translated, by its English name; null: none was chosen. */
  ownLanguage: z.string().min(2).max(60).nullable(),
  /** Silence that ends a spoken turn by itself; null: only the button does. */
  patienceMs: z.union([z.literal(1_000), z.literal(2_000), z.literal(3_000)]).nullable(),
  /** The model on this computer that the learner has agreed to have as a coach; null: none. */
  localCoach: LocalModel.nullable(),
  /** The same, to write down what is said. */
  localTranscriber: LocalModel.nullable(),
});
export type DeviceSettings = z.infer<typeof DeviceSettings>;

/** The learner's own fields; they sync. */
export const Profile = z.object({
  firstName: z.string().max(200).nullable(),
  lastName: z.string().max(200).nullable(),
  jobTitle: z.string().max(200).nullable(),
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

export const MicrophoneReport = z.object({
  verdict: z.enum(MICROPHONE_VERDICTS),
  hint: z.string(),
  levelDb: z.number().nullable(),
  snrDb: z.number().nullable(),
});
export type MicrophoneReport = z.infer<typeof MicrophoneReport>;

/** A change that the server refused: kept with its content, so that nothing is silently lost. */
/**
 * What the server answers, and what a device finds by itself: a change on which the server fails, one that no request has room for, or
 * one that the account has no room for, which is sent again.
 */
export const REJECTION_CODES = [...MUTATION_REJECTIONS, 'internal_error', 'too_large', 'storage_full'] as const;
export type RejectionCode = (typeof REJECTION_CODES)[number];

export const RejectedChange = z.object({
  id: z.uuid(),
  table: z.string(),
  code: z.enum(REJECTION_CODES),
  /** The field that is to blame, when it is one. */
  field: z.string().nullable(),
  /** What was to be saved: by field, as it would have travelled. */
  fields: z.record(z.string(), z.unknown()),
  at: z.date(),
});
export type RejectedChange = z.infer<typeof RejectedChange>;

export const HostEvent = z.discriminatedUnion('type', [
  /** These tables changed: whoever shows them asks again. */
  z.object({ type: z.literal('data_changed'), tables: z.array(z.string()) }),
  z.object({ type: z.literal('sync_status'), status: SyncStatus }),
]);
export type HostEvent = z.infer<typeof HostEvent>;

export const desktopContract = {
  catalogue: catalogueContract,
  practice: practiceContract,
  call: callContract,
  drill: drillContract,
  coach: {
    /** What the server can do beyond this device; nothing while it cannot be asked. */
    offer: base.input(z.void()).output(CoachOffer),
    /** Models on this computer that may be chosen; none where the server is on another one. Looks anew. */
    local: base.input(z.void()).output(LocalModels),
    /** A conversation with a live coach is about to begin: a model of one's own is loaded meanwhile. Fails silently. */
    warmUp: base.input(z.void()).output(z.void()),
    /** What a live coach remembers, a line each. */
    memory: base.input(z.void()).output(z.object({ lines: z.array(z.string()) })),
    forget: base.input(z.object({ line: z.string().min(1).max(400) })).output(z.void()),
  },
  history: historyContract,
  today: todayContract,
  recordings: {
    /** The WAV that was scored. */
    read: base.input(z.object({ recordingId: RecordingId })).output(z.instanceof(Blob)),
  },
  voice: {
    /** Speaks with the bundled synthesiser, for where the system has no English voice. A WAV. */
    speak: base
      .input(z.object({ text: z.string().min(1).max(4_000), voice: CoachVoice, rate: z.number().min(0.4).max(2) }))
      .output(z.instanceof(Blob)),
    /**
     * What a live coach says, a line or a piece of it, in the voice that the server has for it, while it is made: base64 of 16-bit mono PCM
     * at 24 kHz, in whole samples.
     */
    speakLine: base
      .input(z.object({ text: z.string().min(1).max(4_000), voice: CoachVoice }))
      .output(eventIterator(z.base64())),
  },
  microphone: {
    check: base.input(z.object({ pcm: z.instanceof(Blob) })).output(MicrophoneReport),
  },
  settings: {
    read: base.input(z.void()).output(z.object({ device: DeviceSettings, profile: Profile })),
    updateDevice: base.input(DeviceSettings.partial()).output(DeviceSettings),
    updateProfile: base.input(Profile.partial()).output(Profile),
  },
  sync: {
    status: base.input(z.void()).output(SyncStatus),
    /** Push and pull now; answers when done, with what came of it. */
    run: base.input(z.void()).output(SyncStatus),
    rejected: base.input(z.void()).output(z.array(RejectedChange)),
    dismissRejected: base.input(z.object({ id: z.uuid() })).output(z.void()),
  },
  account: accountContract,
  billing: billingContract,
  server: serverChoiceContract,
  app: {
    about: base.input(z.void()).output(
      z.object({
        version: z.string(),
        dataFolder: z.string(),
        serverAddress: z.string().nullable(),
        scorer: z.string(),
        /** Set when the database was restored from a backup at this start. */
        restoredFrom: z.date().nullable(),
      }),
    ),
    events: base.input(z.void()).output(eventIterator(HostEvent)),
  },
};
