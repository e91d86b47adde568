/**
 * Identifiers are UUIDs with branded types, so that the compiler catches mix-ups. New rows use version 7; parsing
 * accepts any UUID.
 */
import { z } from 'zod';

const brandedUuid = <Brand extends string>(brand: Brand) => z.uuid().brand<Brand>().describe(brand);

export const LearnerId = brandedUuid('LearnerId');
export type LearnerId = z.infer<typeof LearnerId>;

export const DeviceId = brandedUuid('DeviceId');
export type DeviceId = z.infer<typeof DeviceId>;

export const CoachId = brandedUuid('CoachId');
export type CoachId = z.infer<typeof CoachId>;

export const PracticeId = brandedUuid('PracticeId');
export type PracticeId = z.infer<typeof PracticeId>;

export const ObjectiveId = brandedUuid('ObjectiveId');
export type ObjectiveId = z.infer<typeof ObjectiveId>;

export const CourseId = brandedUuid('CourseId');
export type CourseId = z.infer<typeof CourseId>;

/** The key of a `practice_history` row: one practice session. */
export const SessionId = brandedUuid('SessionId');
export type SessionId = z.infer<typeof SessionId>;

export const TurnId = brandedUuid('TurnId');
export type TurnId = z.infer<typeof TurnId>;

export const RecordingId = brandedUuid('RecordingId');
export type RecordingId = z.infer<typeof RecordingId>;
