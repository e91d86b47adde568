/** Derives row ids from what the row is about, so that two devices that create the same row offline give it the same id. */
import { v5, version } from 'uuid';

/** A random namespace that separates our ids from those of other UUIDv5 users. */
const NAMESPACE = '6f0f3f9a-9c6f-4d0b-8a53-1a6f1f6d2b17';

/** Enrolling again after unenrolling revives the same row. */
export const enrolmentId = (userId: string, courseId: string): string =>
  v5(`enrolment/${userId}/${courseId}`, NAMESPACE);

/** The interaction of a session whose turns arrived without one. */
export const sessionInteractionId = (sessionId: string): string => v5(`interaction/${sessionId}`, NAMESPACE);

/** A derived id must equal the value derived from its row. */
export const isDerivedId = (id: string): boolean => version(id) === 5;

/** Equal texts have equal fingerprints. */
export const fingerprintOf = (text: string): string => v5(text, NAMESPACE);
