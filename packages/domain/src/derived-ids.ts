/** Ids of rows of which there is one for what they are about: two devices that make the same row offline make it under the same id. */
import { v5, version } from 'uuid';

/** Drawn once, at random; it keeps our ids apart from those that others derive. */
const NAMESPACE = '6f0f3f9a-9c6f-4d0b-8a53-1a6f1f6d2b17';

/** Enrolling again after leaving revives the row. */
export const enrolmentId = (userId: string, courseId: string): string =>
  v5(`enrolment/${userId}/${courseId}`, NAMESPACE);

/** Of a session whose turns came without an interaction to hang on. */
export const sessionInteractionId = (sessionId: string): string => v5(`interaction/${sessionId}`, NAMESPACE);

/** Whether an id was derived from something, and so must be what it was derived from. */
export const isDerivedId = (id: string): boolean => version(id) === 5;

/** The same for the same text, and another for any other. */
export const fingerprintOf = (text: string): string => v5(text, NAMESPACE);
