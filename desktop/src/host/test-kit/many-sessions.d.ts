/** Fills a device with years of practice, for tests and benches of long lists. */
import { SessionId } from '@parley/domain';
export declare const seededSessionId: (index: number) => SessionId;
export declare function seedSessions(dataDir: string, count: number): void;
