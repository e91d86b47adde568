/** Settings of this device and of the learner's profile; only the profile is synced. */
import type { DeviceSettings, Profile } from '@parley/contract';
import { and, eq, isNull } from 'drizzle-orm';
import { coachAssignmentHistory, deviceSettings, insertRow, type Store, updateRow, users } from '../store/index.ts';

export const DEFAULT_DEVICE_SETTINGS: DeviceSettings = {
  theme: 'system',
  language: null,
  shownLanguage: null,
  textSize: 'normal',
  microphoneId: null,
  microphoneChecked: false,
  echoCancellation: false,
  noiseSuppression: false,
  autoGainControl: false,
  speakerId: null,
  soundCues: true,
  captions: true,
  coachSpeed: 1,
  ownLanguage: null,
  patienceMs: null,
  endsTurnAutomatically: false,
  levelAnsweredAt: null,
  localCoach: null,
  localTranscriber: null,
  reminderAt: null,
  remindedOn: null,
  showTray: false,
  launchAtLogin: false,
  offersCrashReports: false,
};

export interface Settings {
  read(): { device: DeviceSettings; profile: Profile };
  updateDevice(changes: Partial<DeviceSettings>): DeviceSettings;
  updateProfile(changes: Partial<Profile>): Profile;
}

export interface SettingsOptions {
  /** Called after a device setting changed. */
  onDeviceChanged?: () => void;
}

export function createSettings(store: Store, { onDeviceChanged }: SettingsOptions = {}): Settings {
  const { db } = store;

  const readDevice = (): DeviceSettings => ({
    ...DEFAULT_DEVICE_SETTINGS,
    ...db.select({ settings: deviceSettings.settings }).from(deviceSettings).get()?.settings,
  });

  function readProfile(): Profile {
    const profile = db
      .select({
        firstName: users.firstName,
        lastName: users.lastName,
        jobTitle: users.jobTitle,
        avatarUrl: users.avatarUrl,
        industry: users.industry,
        agentId: users.agentId,
        englishLevel: users.englishLevel,
        practiceDifficulty: users.practiceDifficulty,
        practiceStyle: users.practiceStyle,
        emailNotifications: users.emailNotifications,
        hasSeenOnboarding: users.hasSeenOnboarding,
      })
      .from(users)
      .where(eq(users.userId, store.identity().userId))
      .get();
    if (profile === undefined) throw new Error('the learner has no row');
    return profile;
  }

  /** Ends the current assignment when a new one starts, so that there is at most one. */
  function changeCoach(agentId: Profile['agentId']): void {
    const { userId } = store.identity();
    const now = store.clock.now();
    const open = db
      .select({ assignmentId: coachAssignmentHistory.assignmentId })
      .from(coachAssignmentHistory)
      .where(
        and(
          eq(coachAssignmentHistory.userId, userId),
          isNull(coachAssignmentHistory.assignmentEndDate),
          isNull(coachAssignmentHistory.deletedAt),
        ),
      )
      .all();
    for (const { assignmentId } of open)
      updateRow(store, 'coachAssignmentHistory', assignmentId, { assignmentEndDate: now });
    if (agentId === null) return;
    insertRow(store, 'coachAssignmentHistory', {
      assignmentId: store.newId(),
      userId,
      agentId,
      assignmentStartDate: now,
      assignmentEndDate: null,
    });
  }

  return {
    read: () => ({ device: readDevice(), profile: readProfile() }),

    updateDevice(changes) {
      const settings = { ...readDevice(), ...changes };
      store.transaction(() => {
        db.insert(deviceSettings)
          .values({ id: 1, settings })
          .onConflictDoUpdate({ target: deviceSettings.id, set: { settings } })
          .run();
        store.markChanged('device_settings');
      });
      onDeviceChanged?.();
      return settings;
    },

    updateProfile(changes) {
      return store.transaction(() => {
        const before = readProfile();
        if (changes.agentId !== undefined && changes.agentId !== before.agentId) changeCoach(changes.agentId);
        updateRow(store, 'users', store.identity().userId, { ...difficultyAfter(before, changes), ...changes });
        return readProfile();
      });
    },
  };
}

/** A difficulty that was chosen in a briefing suited the former level, so practices follow the new level again. */
function difficultyAfter(
  before: Profile,
  { englishLevel }: Partial<Profile>,
): Pick<Partial<Profile>, 'practiceDifficulty'> {
  const hasNewLevel = englishLevel !== undefined && englishLevel !== before.englishLevel;
  return hasNewLevel && before.practiceDifficulty !== null ? { practiceDifficulty: null } : {};
}
