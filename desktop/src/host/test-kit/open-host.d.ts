import type { Assessment } from '@parley/domain';
import { type HostOptions, type SpeechScorer } from '../index.ts';
export declare function aDataFolder(): string;
export declare function removeDataFolders(): void;
/** A clock that only moves when it is told to. */
export declare function aClock(start?: string): {
    now: () => Date;
    pass: (ms: number) => void;
};
export declare function openHost(options?: Partial<HostOptions>): Promise<{
    host: import("../create-host.ts").Host;
    dataDir: string;
    ask: {
        catalogue: {
            practices: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodVoid, import("zod").ZodArray<import("zod").ZodObject<{
                practiceId: import("zod").ZodUUID;
                title: import("zod").ZodString;
                category: import("zod").ZodString;
                level: import("zod").ZodEnum<{
                    advanced: "advanced";
                    beginner: "beginner";
                    intermediate: "intermediate";
                }>;
                minutes: import("zod").ZodNumber;
                descriptionSummary: import("zod").ZodString;
                coverImageUrl: import("zod").ZodString;
                coachName: import("zod").ZodString;
                coachAvatarUrl: import("zod").ZodString;
                bestScore: import("zod").ZodNullable<import("zod").ZodNumber>;
                state: import("zod").ZodEnum<{
                    coming_soon: "coming_soon";
                    ready: "ready";
                }>;
            }, import("zod/v4/core").$strip>>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            briefing: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodObject<{
                practiceId: import("zod").ZodUUID;
            }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                card: import("zod").ZodObject<{
                    practiceId: import("zod").ZodUUID;
                    title: import("zod").ZodString;
                    category: import("zod").ZodString;
                    level: import("zod").ZodEnum<{
                        advanced: "advanced";
                        beginner: "beginner";
                        intermediate: "intermediate";
                    }>;
                    minutes: import("zod").ZodNumber;
                    descriptionSummary: import("zod").ZodString;
                    coverImageUrl: import("zod").ZodString;
                    coachName: import("zod").ZodString;
                    coachAvatarUrl: import("zod").ZodString;
                    bestScore: import("zod").ZodNullable<import("zod").ZodNumber>;
                    state: import("zod").ZodEnum<{
                        coming_soon: "coming_soon";
                        ready: "ready";
                    }>;
                }, import("zod/v4/core").$strip>;
                scenario: import("zod").ZodString;
                description: import("zod").ZodString;
                learnerRole: import("zod").ZodString;
                coach: import("zod").ZodObject<{
                    agentId: import("zod").ZodUUID;
                    name: import("zod").ZodString;
                    avatarUrl: import("zod").ZodString;
                    communicationStyle: import("zod").ZodString;
                    characterTraits: import("zod").ZodArray<import("zod").ZodString>;
                    skills: import("zod").ZodArray<import("zod").ZodString>;
                    voice: import("zod").ZodObject<{
                        gender: import("zod").ZodEnum<{
                            female: "female";
                            male: "male";
                        }>;
                        locale: import("zod").ZodString;
                        rate: import("zod").ZodNumber;
                        pitch: import("zod").ZodNumber;
                    }, import("zod/v4/core").$strip>;
                }, import("zod/v4/core").$strip>;
                objectives: import("zod").ZodArray<import("zod").ZodObject<{
                    objectiveId: import("zod").ZodUUID;
                    description: import("zod").ZodString;
                }, import("zod/v4/core").$strip>>;
                usefulWords: import("zod").ZodArray<import("zod").ZodObject<{
                    word: import("zod").ZodString;
                    meaning: import("zod").ZodString;
                }, import("zod/v4/core").$strip>>;
            }, import("zod/v4/core").$strip>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            courses: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodVoid, import("zod").ZodArray<import("zod").ZodObject<{
                courseId: import("zod").ZodUUID;
                title: import("zod").ZodString;
                description: import("zod").ZodString;
                status: import("zod").ZodEnum<{
                    available: "available";
                    coming_soon: "coming_soon";
                }>;
                sections: import("zod").ZodArray<import("zod").ZodObject<{
                    courseSectionId: import("zod").ZodUUID;
                    title: import("zod").ZodString;
                    descriptions: import("zod").ZodString;
                    practices: import("zod").ZodArray<import("zod").ZodObject<{
                        practiceId: import("zod").ZodUUID;
                        title: import("zod").ZodString;
                        category: import("zod").ZodString;
                        level: import("zod").ZodEnum<{
                            advanced: "advanced";
                            beginner: "beginner";
                            intermediate: "intermediate";
                        }>;
                        minutes: import("zod").ZodNumber;
                        descriptionSummary: import("zod").ZodString;
                        coverImageUrl: import("zod").ZodString;
                        coachName: import("zod").ZodString;
                        coachAvatarUrl: import("zod").ZodString;
                        bestScore: import("zod").ZodNullable<import("zod").ZodNumber>;
                        state: import("zod").ZodEnum<{
                            coming_soon: "coming_soon";
                            ready: "ready";
                        }>;
                    }, import("zod/v4/core").$strip>>;
                }, import("zod/v4/core").$strip>>;
            }, import("zod/v4/core").$strip>>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            coaches: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodVoid, import("zod").ZodArray<import("zod").ZodObject<{
                agentId: import("zod").ZodUUID;
                name: import("zod").ZodString;
                avatarUrl: import("zod").ZodString;
                communicationStyle: import("zod").ZodString;
                characterTraits: import("zod").ZodArray<import("zod").ZodString>;
                skills: import("zod").ZodArray<import("zod").ZodString>;
                voice: import("zod").ZodObject<{
                    gender: import("zod").ZodEnum<{
                        female: "female";
                        male: "male";
                    }>;
                    locale: import("zod").ZodString;
                    rate: import("zod").ZodNumber;
                    pitch: import("zod").ZodNumber;
                }, import("zod/v4/core").$strip>;
            }, import("zod/v4/core").$strip>>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            industries: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodVoid, import("zod").ZodArray<import("zod").ZodObject<{
                id: import("zod").ZodUUID;
                name: import("zod").ZodString;
            }, import("zod/v4/core").$strip>>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
        };
        practice: {
            start: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodObject<{
                practiceId: import("zod").ZodUUID;
                difficulty: import("zod").ZodEnum<{
                    easy: "easy";
                    hard: "hard";
                    intermediate: "intermediate";
                }>;
                communicationStyle: import("zod").ZodEnum<{
                    audio: "audio";
                    text: "text";
                }>;
            }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                sessionId: import("zod").ZodUUID;
                practiceId: import("zod").ZodUUID;
                title: import("zod").ZodString;
                scenario: import("zod").ZodString;
                coach: import("zod").ZodObject<{
                    agentId: import("zod").ZodUUID;
                    name: import("zod").ZodString;
                    avatarUrl: import("zod").ZodString;
                    communicationStyle: import("zod").ZodString;
                    characterTraits: import("zod").ZodArray<import("zod").ZodString>;
                    skills: import("zod").ZodArray<import("zod").ZodString>;
                    voice: import("zod").ZodObject<{
                        gender: import("zod").ZodEnum<{
                            female: "female";
                            male: "male";
                        }>;
                        locale: import("zod").ZodString;
                        rate: import("zod").ZodNumber;
                        pitch: import("zod").ZodNumber;
                    }, import("zod/v4/core").$strip>;
                }, import("zod/v4/core").$strip>;
                difficulty: import("zod").ZodEnum<{
                    easy: "easy";
                    hard: "hard";
                    intermediate: "intermediate";
                }>;
                communicationStyle: import("zod").ZodEnum<{
                    audio: "audio";
                    text: "text";
                }>;
                phase: import("zod").ZodEnum<{
                    ended: "ended";
                    learner_turn: "learner_turn";
                    paused: "paused";
                    scored: "scored";
                    scoring: "scoring";
                    scoring_failed: "scoring_failed";
                }>;
                turns: import("zod").ZodArray<import("zod").ZodDiscriminatedUnion<[import("zod").ZodObject<{
                    role: import("zod").ZodLiteral<"coach">;
                    turnId: import("zod").ZodUUID;
                    at: import("zod").ZodISODateTime;
                    text: import("zod").ZodString;
                    node: import("zod").ZodNullable<import("zod").ZodString>;
                    kind: import("zod").ZodEnum<{
                        goodbye: "goodbye";
                        line: "line";
                        rephrase: "rephrase";
                    }>;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    role: import("zod").ZodLiteral<"learner">;
                    turnId: import("zod").ZodUUID;
                    at: import("zod").ZodISODateTime;
                    text: import("zod").ZodString;
                    mode: import("zod").ZodEnum<{
                        typed: "typed";
                        voice: "voice";
                    }>;
                    node: import("zod").ZodNullable<import("zod").ZodString>;
                    fitted: import("zod").ZodBoolean;
                    recordingId: import("zod").ZodNullable<import("zod").ZodUUID>;
                    assessment: import("zod").ZodNullable<import("zod").ZodObject<{
                        source: import("zod").ZodEnum<{
                            azure: "azure";
                            device: "device";
                        }>;
                        durationMs: import("zod").ZodNumber;
                        snrDb: import("zod").ZodNullable<import("zod").ZodNumber>;
                        accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                        fluency: import("zod").ZodNullable<import("zod").ZodNumber>;
                        prosody: import("zod").ZodNullable<import("zod").ZodNumber>;
                        completeness: import("zod").ZodNullable<import("zod").ZodNumber>;
                        pron: import("zod").ZodNullable<import("zod").ZodNumber>;
                        words: import("zod").ZodArray<import("zod").ZodObject<{
                            word: import("zod").ZodString;
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                            accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                            error: import("zod").ZodEnum<{
                                Insertion: "Insertion";
                                Mispronunciation: "Mispronunciation";
                                MissingBreak: "MissingBreak";
                                Monotone: "Monotone";
                                None: "None";
                                Omission: "Omission";
                                UnexpectedBreak: "UnexpectedBreak";
                            }>;
                            phonemes: import("zod").ZodArray<import("zod").ZodObject<{
                                phoneme: import("zod").ZodString;
                                startMs: import("zod").ZodNumber;
                                endMs: import("zod").ZodNumber;
                                accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                                heardAs: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
                                    phoneme: import("zod").ZodString;
                                    likelihood: import("zod").ZodNumber;
                                }, import("zod/v4/core").$strip>>>;
                            }, import("zod/v4/core").$strip>>;
                        }, import("zod/v4/core").$strip>>;
                        pitch: import("zod").ZodArray<import("zod").ZodObject<{
                            ms: import("zod").ZodNumber;
                            hz: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        pauses: import("zod").ZodArray<import("zod").ZodObject<{
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        unusable: import("zod").ZodOptional<import("zod").ZodObject<{
                            reason: import("zod").ZodEnum<{
                                clipped: "clipped";
                                noisy: "noisy";
                                not_the_text: "not_the_text";
                                silent: "silent";
                                too_short: "too_short";
                            }>;
                            hint: import("zod").ZodString;
                        }, import("zod/v4/core").$strip>>;
                    }, import("zod/v4/core").$strip>>;
                    hintLevel: import("zod").ZodNumber;
                }, import("zod/v4/core").$strip>], "role">>;
                objectives: import("zod").ZodArray<import("zod").ZodObject<{
                    objectiveId: import("zod").ZodUUID;
                    description: import("zod").ZodString;
                    provedBy: import("zod").ZodNullable<import("zod").ZodString>;
                }, import("zod/v4/core").$strip>>;
                waitingTurn: import("zod").ZodNullable<import("zod").ZodDiscriminatedUnion<[import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"heard">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    text: import("zod").ZodString;
                    assessment: import("zod").ZodObject<{
                        source: import("zod").ZodEnum<{
                            azure: "azure";
                            device: "device";
                        }>;
                        durationMs: import("zod").ZodNumber;
                        snrDb: import("zod").ZodNullable<import("zod").ZodNumber>;
                        accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                        fluency: import("zod").ZodNullable<import("zod").ZodNumber>;
                        prosody: import("zod").ZodNullable<import("zod").ZodNumber>;
                        completeness: import("zod").ZodNullable<import("zod").ZodNumber>;
                        pron: import("zod").ZodNullable<import("zod").ZodNumber>;
                        words: import("zod").ZodArray<import("zod").ZodObject<{
                            word: import("zod").ZodString;
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                            accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                            error: import("zod").ZodEnum<{
                                Insertion: "Insertion";
                                Mispronunciation: "Mispronunciation";
                                MissingBreak: "MissingBreak";
                                Monotone: "Monotone";
                                None: "None";
                                Omission: "Omission";
                                UnexpectedBreak: "UnexpectedBreak";
                            }>;
                            phonemes: import("zod").ZodArray<import("zod").ZodObject<{
                                phoneme: import("zod").ZodString;
                                startMs: import("zod").ZodNumber;
                                endMs: import("zod").ZodNumber;
                                accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                                heardAs: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
                                    phoneme: import("zod").ZodString;
                                    likelihood: import("zod").ZodNumber;
                                }, import("zod/v4/core").$strip>>>;
                            }, import("zod/v4/core").$strip>>;
                        }, import("zod/v4/core").$strip>>;
                        pitch: import("zod").ZodArray<import("zod").ZodObject<{
                            ms: import("zod").ZodNumber;
                            hz: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        pauses: import("zod").ZodArray<import("zod").ZodObject<{
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        unusable: import("zod").ZodOptional<import("zod").ZodObject<{
                            reason: import("zod").ZodEnum<{
                                clipped: "clipped";
                                noisy: "noisy";
                                not_the_text: "not_the_text";
                                silent: "silent";
                                too_short: "too_short";
                            }>;
                            hint: import("zod").ZodString;
                        }, import("zod/v4/core").$strip>>;
                    }, import("zod/v4/core").$strip>;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"not_recognised">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    candidates: import("zod").ZodArray<import("zod").ZodString>;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"unusable">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    reason: import("zod").ZodEnum<{
                        clipped: "clipped";
                        noisy: "noisy";
                        not_the_text: "not_the_text";
                        silent: "silent";
                        too_short: "too_short";
                    }>;
                    hint: import("zod").ZodString;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"not_scored">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    candidates: import("zod").ZodArray<import("zod").ZodString>;
                }, import("zod/v4/core").$strip>], "status">>;
                startedAt: import("zod").ZodDate;
                durationS: import("zod").ZodNumber;
            }, import("zod/v4/core").$strip>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            session: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodObject<{
                sessionId: import("zod").ZodUUID;
            }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                sessionId: import("zod").ZodUUID;
                practiceId: import("zod").ZodUUID;
                title: import("zod").ZodString;
                scenario: import("zod").ZodString;
                coach: import("zod").ZodObject<{
                    agentId: import("zod").ZodUUID;
                    name: import("zod").ZodString;
                    avatarUrl: import("zod").ZodString;
                    communicationStyle: import("zod").ZodString;
                    characterTraits: import("zod").ZodArray<import("zod").ZodString>;
                    skills: import("zod").ZodArray<import("zod").ZodString>;
                    voice: import("zod").ZodObject<{
                        gender: import("zod").ZodEnum<{
                            female: "female";
                            male: "male";
                        }>;
                        locale: import("zod").ZodString;
                        rate: import("zod").ZodNumber;
                        pitch: import("zod").ZodNumber;
                    }, import("zod/v4/core").$strip>;
                }, import("zod/v4/core").$strip>;
                difficulty: import("zod").ZodEnum<{
                    easy: "easy";
                    hard: "hard";
                    intermediate: "intermediate";
                }>;
                communicationStyle: import("zod").ZodEnum<{
                    audio: "audio";
                    text: "text";
                }>;
                phase: import("zod").ZodEnum<{
                    ended: "ended";
                    learner_turn: "learner_turn";
                    paused: "paused";
                    scored: "scored";
                    scoring: "scoring";
                    scoring_failed: "scoring_failed";
                }>;
                turns: import("zod").ZodArray<import("zod").ZodDiscriminatedUnion<[import("zod").ZodObject<{
                    role: import("zod").ZodLiteral<"coach">;
                    turnId: import("zod").ZodUUID;
                    at: import("zod").ZodISODateTime;
                    text: import("zod").ZodString;
                    node: import("zod").ZodNullable<import("zod").ZodString>;
                    kind: import("zod").ZodEnum<{
                        goodbye: "goodbye";
                        line: "line";
                        rephrase: "rephrase";
                    }>;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    role: import("zod").ZodLiteral<"learner">;
                    turnId: import("zod").ZodUUID;
                    at: import("zod").ZodISODateTime;
                    text: import("zod").ZodString;
                    mode: import("zod").ZodEnum<{
                        typed: "typed";
                        voice: "voice";
                    }>;
                    node: import("zod").ZodNullable<import("zod").ZodString>;
                    fitted: import("zod").ZodBoolean;
                    recordingId: import("zod").ZodNullable<import("zod").ZodUUID>;
                    assessment: import("zod").ZodNullable<import("zod").ZodObject<{
                        source: import("zod").ZodEnum<{
                            azure: "azure";
                            device: "device";
                        }>;
                        durationMs: import("zod").ZodNumber;
                        snrDb: import("zod").ZodNullable<import("zod").ZodNumber>;
                        accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                        fluency: import("zod").ZodNullable<import("zod").ZodNumber>;
                        prosody: import("zod").ZodNullable<import("zod").ZodNumber>;
                        completeness: import("zod").ZodNullable<import("zod").ZodNumber>;
                        pron: import("zod").ZodNullable<import("zod").ZodNumber>;
                        words: import("zod").ZodArray<import("zod").ZodObject<{
                            word: import("zod").ZodString;
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                            accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                            error: import("zod").ZodEnum<{
                                Insertion: "Insertion";
                                Mispronunciation: "Mispronunciation";
                                MissingBreak: "MissingBreak";
                                Monotone: "Monotone";
                                None: "None";
                                Omission: "Omission";
                                UnexpectedBreak: "UnexpectedBreak";
                            }>;
                            phonemes: import("zod").ZodArray<import("zod").ZodObject<{
                                phoneme: import("zod").ZodString;
                                startMs: import("zod").ZodNumber;
                                endMs: import("zod").ZodNumber;
                                accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                                heardAs: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
                                    phoneme: import("zod").ZodString;
                                    likelihood: import("zod").ZodNumber;
                                }, import("zod/v4/core").$strip>>>;
                            }, import("zod/v4/core").$strip>>;
                        }, import("zod/v4/core").$strip>>;
                        pitch: import("zod").ZodArray<import("zod").ZodObject<{
                            ms: import("zod").ZodNumber;
                            hz: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        pauses: import("zod").ZodArray<import("zod").ZodObject<{
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        unusable: import("zod").ZodOptional<import("zod").ZodObject<{
                            reason: import("zod").ZodEnum<{
                                clipped: "clipped";
                                noisy: "noisy";
                                not_the_text: "not_the_text";
                                silent: "silent";
                                too_short: "too_short";
                            }>;
                            hint: import("zod").ZodString;
                        }, import("zod/v4/core").$strip>>;
                    }, import("zod/v4/core").$strip>>;
                    hintLevel: import("zod").ZodNumber;
                }, import("zod/v4/core").$strip>], "role">>;
                objectives: import("zod").ZodArray<import("zod").ZodObject<{
                    objectiveId: import("zod").ZodUUID;
                    description: import("zod").ZodString;
                    provedBy: import("zod").ZodNullable<import("zod").ZodString>;
                }, import("zod/v4/core").$strip>>;
                waitingTurn: import("zod").ZodNullable<import("zod").ZodDiscriminatedUnion<[import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"heard">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    text: import("zod").ZodString;
                    assessment: import("zod").ZodObject<{
                        source: import("zod").ZodEnum<{
                            azure: "azure";
                            device: "device";
                        }>;
                        durationMs: import("zod").ZodNumber;
                        snrDb: import("zod").ZodNullable<import("zod").ZodNumber>;
                        accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                        fluency: import("zod").ZodNullable<import("zod").ZodNumber>;
                        prosody: import("zod").ZodNullable<import("zod").ZodNumber>;
                        completeness: import("zod").ZodNullable<import("zod").ZodNumber>;
                        pron: import("zod").ZodNullable<import("zod").ZodNumber>;
                        words: import("zod").ZodArray<import("zod").ZodObject<{
                            word: import("zod").ZodString;
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                            accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                            error: import("zod").ZodEnum<{
                                Insertion: "Insertion";
                                Mispronunciation: "Mispronunciation";
                                MissingBreak: "MissingBreak";
                                Monotone: "Monotone";
                                None: "None";
                                Omission: "Omission";
                                UnexpectedBreak: "UnexpectedBreak";
                            }>;
                            phonemes: import("zod").ZodArray<import("zod").ZodObject<{
                                phoneme: import("zod").ZodString;
                                startMs: import("zod").ZodNumber;
                                endMs: import("zod").ZodNumber;
                                accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                                heardAs: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
                                    phoneme: import("zod").ZodString;
                                    likelihood: import("zod").ZodNumber;
                                }, import("zod/v4/core").$strip>>>;
                            }, import("zod/v4/core").$strip>>;
                        }, import("zod/v4/core").$strip>>;
                        pitch: import("zod").ZodArray<import("zod").ZodObject<{
                            ms: import("zod").ZodNumber;
                            hz: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        pauses: import("zod").ZodArray<import("zod").ZodObject<{
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        unusable: import("zod").ZodOptional<import("zod").ZodObject<{
                            reason: import("zod").ZodEnum<{
                                clipped: "clipped";
                                noisy: "noisy";
                                not_the_text: "not_the_text";
                                silent: "silent";
                                too_short: "too_short";
                            }>;
                            hint: import("zod").ZodString;
                        }, import("zod/v4/core").$strip>>;
                    }, import("zod/v4/core").$strip>;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"not_recognised">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    candidates: import("zod").ZodArray<import("zod").ZodString>;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"unusable">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    reason: import("zod").ZodEnum<{
                        clipped: "clipped";
                        noisy: "noisy";
                        not_the_text: "not_the_text";
                        silent: "silent";
                        too_short: "too_short";
                    }>;
                    hint: import("zod").ZodString;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"not_scored">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    candidates: import("zod").ZodArray<import("zod").ZodString>;
                }, import("zod/v4/core").$strip>], "status">>;
                startedAt: import("zod").ZodDate;
                durationS: import("zod").ZodNumber;
            }, import("zod/v4/core").$strip>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            beginTurn: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodObject<{
                sessionId: import("zod").ZodUUID;
            }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                turnId: import("zod").ZodUUID;
                recordingId: import("zod").ZodUUID;
            }, import("zod/v4/core").$strip>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            appendAudio: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodObject<{
                sessionId: import("zod").ZodUUID;
                turnId: import("zod").ZodUUID;
                seq: import("zod").ZodNumber;
                pcm: import("zod").ZodInstanceOf<Blob>;
            }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                nextSeq: import("zod").ZodNumber;
            }, import("zod/v4/core").$strip>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            finishTurn: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodObject<{
                sessionId: import("zod").ZodUUID;
                turnId: import("zod").ZodUUID;
                hintLevel: import("zod").ZodNumber;
            }, import("zod/v4/core").$strip>, import("zod").ZodDiscriminatedUnion<[import("zod").ZodObject<{
                status: import("zod").ZodLiteral<"heard">;
                turnId: import("zod").ZodUUID;
                recordingId: import("zod").ZodUUID;
                text: import("zod").ZodString;
                assessment: import("zod").ZodObject<{
                    source: import("zod").ZodEnum<{
                        azure: "azure";
                        device: "device";
                    }>;
                    durationMs: import("zod").ZodNumber;
                    snrDb: import("zod").ZodNullable<import("zod").ZodNumber>;
                    accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                    fluency: import("zod").ZodNullable<import("zod").ZodNumber>;
                    prosody: import("zod").ZodNullable<import("zod").ZodNumber>;
                    completeness: import("zod").ZodNullable<import("zod").ZodNumber>;
                    pron: import("zod").ZodNullable<import("zod").ZodNumber>;
                    words: import("zod").ZodArray<import("zod").ZodObject<{
                        word: import("zod").ZodString;
                        startMs: import("zod").ZodNumber;
                        endMs: import("zod").ZodNumber;
                        accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                        error: import("zod").ZodEnum<{
                            Insertion: "Insertion";
                            Mispronunciation: "Mispronunciation";
                            MissingBreak: "MissingBreak";
                            Monotone: "Monotone";
                            None: "None";
                            Omission: "Omission";
                            UnexpectedBreak: "UnexpectedBreak";
                        }>;
                        phonemes: import("zod").ZodArray<import("zod").ZodObject<{
                            phoneme: import("zod").ZodString;
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                            accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                            heardAs: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
                                phoneme: import("zod").ZodString;
                                likelihood: import("zod").ZodNumber;
                            }, import("zod/v4/core").$strip>>>;
                        }, import("zod/v4/core").$strip>>;
                    }, import("zod/v4/core").$strip>>;
                    pitch: import("zod").ZodArray<import("zod").ZodObject<{
                        ms: import("zod").ZodNumber;
                        hz: import("zod").ZodNumber;
                    }, import("zod/v4/core").$strip>>;
                    pauses: import("zod").ZodArray<import("zod").ZodObject<{
                        startMs: import("zod").ZodNumber;
                        endMs: import("zod").ZodNumber;
                    }, import("zod/v4/core").$strip>>;
                    unusable: import("zod").ZodOptional<import("zod").ZodObject<{
                        reason: import("zod").ZodEnum<{
                            clipped: "clipped";
                            noisy: "noisy";
                            not_the_text: "not_the_text";
                            silent: "silent";
                            too_short: "too_short";
                        }>;
                        hint: import("zod").ZodString;
                    }, import("zod/v4/core").$strip>>;
                }, import("zod/v4/core").$strip>;
            }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                status: import("zod").ZodLiteral<"not_recognised">;
                turnId: import("zod").ZodUUID;
                recordingId: import("zod").ZodUUID;
                candidates: import("zod").ZodArray<import("zod").ZodString>;
            }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                status: import("zod").ZodLiteral<"unusable">;
                turnId: import("zod").ZodUUID;
                recordingId: import("zod").ZodUUID;
                reason: import("zod").ZodEnum<{
                    clipped: "clipped";
                    noisy: "noisy";
                    not_the_text: "not_the_text";
                    silent: "silent";
                    too_short: "too_short";
                }>;
                hint: import("zod").ZodString;
            }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                status: import("zod").ZodLiteral<"not_scored">;
                turnId: import("zod").ZodUUID;
                recordingId: import("zod").ZodUUID;
                candidates: import("zod").ZodArray<import("zod").ZodString>;
            }, import("zod/v4/core").$strip>], "status">, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            nameTurn: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodObject<{
                sessionId: import("zod").ZodUUID;
                turnId: import("zod").ZodUUID;
                text: import("zod").ZodString;
            }, import("zod/v4/core").$strip>, import("zod").ZodDiscriminatedUnion<[import("zod").ZodObject<{
                status: import("zod").ZodLiteral<"heard">;
                turnId: import("zod").ZodUUID;
                recordingId: import("zod").ZodUUID;
                text: import("zod").ZodString;
                assessment: import("zod").ZodObject<{
                    source: import("zod").ZodEnum<{
                        azure: "azure";
                        device: "device";
                    }>;
                    durationMs: import("zod").ZodNumber;
                    snrDb: import("zod").ZodNullable<import("zod").ZodNumber>;
                    accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                    fluency: import("zod").ZodNullable<import("zod").ZodNumber>;
                    prosody: import("zod").ZodNullable<import("zod").ZodNumber>;
                    completeness: import("zod").ZodNullable<import("zod").ZodNumber>;
                    pron: import("zod").ZodNullable<import("zod").ZodNumber>;
                    words: import("zod").ZodArray<import("zod").ZodObject<{
                        word: import("zod").ZodString;
                        startMs: import("zod").ZodNumber;
                        endMs: import("zod").ZodNumber;
                        accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                        error: import("zod").ZodEnum<{
                            Insertion: "Insertion";
                            Mispronunciation: "Mispronunciation";
                            MissingBreak: "MissingBreak";
                            Monotone: "Monotone";
                            None: "None";
                            Omission: "Omission";
                            UnexpectedBreak: "UnexpectedBreak";
                        }>;
                        phonemes: import("zod").ZodArray<import("zod").ZodObject<{
                            phoneme: import("zod").ZodString;
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                            accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                            heardAs: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
                                phoneme: import("zod").ZodString;
                                likelihood: import("zod").ZodNumber;
                            }, import("zod/v4/core").$strip>>>;
                        }, import("zod/v4/core").$strip>>;
                    }, import("zod/v4/core").$strip>>;
                    pitch: import("zod").ZodArray<import("zod").ZodObject<{
                        ms: import("zod").ZodNumber;
                        hz: import("zod").ZodNumber;
                    }, import("zod/v4/core").$strip>>;
                    pauses: import("zod").ZodArray<import("zod").ZodObject<{
                        startMs: import("zod").ZodNumber;
                        endMs: import("zod").ZodNumber;
                    }, import("zod/v4/core").$strip>>;
                    unusable: import("zod").ZodOptional<import("zod").ZodObject<{
                        reason: import("zod").ZodEnum<{
                            clipped: "clipped";
                            noisy: "noisy";
                            not_the_text: "not_the_text";
                            silent: "silent";
                            too_short: "too_short";
                        }>;
                        hint: import("zod").ZodString;
                    }, import("zod/v4/core").$strip>>;
                }, import("zod/v4/core").$strip>;
            }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                status: import("zod").ZodLiteral<"not_recognised">;
                turnId: import("zod").ZodUUID;
                recordingId: import("zod").ZodUUID;
                candidates: import("zod").ZodArray<import("zod").ZodString>;
            }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                status: import("zod").ZodLiteral<"unusable">;
                turnId: import("zod").ZodUUID;
                recordingId: import("zod").ZodUUID;
                reason: import("zod").ZodEnum<{
                    clipped: "clipped";
                    noisy: "noisy";
                    not_the_text: "not_the_text";
                    silent: "silent";
                    too_short: "too_short";
                }>;
                hint: import("zod").ZodString;
            }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                status: import("zod").ZodLiteral<"not_scored">;
                turnId: import("zod").ZodUUID;
                recordingId: import("zod").ZodUUID;
                candidates: import("zod").ZodArray<import("zod").ZodString>;
            }, import("zod/v4/core").$strip>], "status">, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            sendTurn: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodObject<{
                sessionId: import("zod").ZodUUID;
                turnId: import("zod").ZodUUID;
            }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                sessionId: import("zod").ZodUUID;
                practiceId: import("zod").ZodUUID;
                title: import("zod").ZodString;
                scenario: import("zod").ZodString;
                coach: import("zod").ZodObject<{
                    agentId: import("zod").ZodUUID;
                    name: import("zod").ZodString;
                    avatarUrl: import("zod").ZodString;
                    communicationStyle: import("zod").ZodString;
                    characterTraits: import("zod").ZodArray<import("zod").ZodString>;
                    skills: import("zod").ZodArray<import("zod").ZodString>;
                    voice: import("zod").ZodObject<{
                        gender: import("zod").ZodEnum<{
                            female: "female";
                            male: "male";
                        }>;
                        locale: import("zod").ZodString;
                        rate: import("zod").ZodNumber;
                        pitch: import("zod").ZodNumber;
                    }, import("zod/v4/core").$strip>;
                }, import("zod/v4/core").$strip>;
                difficulty: import("zod").ZodEnum<{
                    easy: "easy";
                    hard: "hard";
                    intermediate: "intermediate";
                }>;
                communicationStyle: import("zod").ZodEnum<{
                    audio: "audio";
                    text: "text";
                }>;
                phase: import("zod").ZodEnum<{
                    ended: "ended";
                    learner_turn: "learner_turn";
                    paused: "paused";
                    scored: "scored";
                    scoring: "scoring";
                    scoring_failed: "scoring_failed";
                }>;
                turns: import("zod").ZodArray<import("zod").ZodDiscriminatedUnion<[import("zod").ZodObject<{
                    role: import("zod").ZodLiteral<"coach">;
                    turnId: import("zod").ZodUUID;
                    at: import("zod").ZodISODateTime;
                    text: import("zod").ZodString;
                    node: import("zod").ZodNullable<import("zod").ZodString>;
                    kind: import("zod").ZodEnum<{
                        goodbye: "goodbye";
                        line: "line";
                        rephrase: "rephrase";
                    }>;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    role: import("zod").ZodLiteral<"learner">;
                    turnId: import("zod").ZodUUID;
                    at: import("zod").ZodISODateTime;
                    text: import("zod").ZodString;
                    mode: import("zod").ZodEnum<{
                        typed: "typed";
                        voice: "voice";
                    }>;
                    node: import("zod").ZodNullable<import("zod").ZodString>;
                    fitted: import("zod").ZodBoolean;
                    recordingId: import("zod").ZodNullable<import("zod").ZodUUID>;
                    assessment: import("zod").ZodNullable<import("zod").ZodObject<{
                        source: import("zod").ZodEnum<{
                            azure: "azure";
                            device: "device";
                        }>;
                        durationMs: import("zod").ZodNumber;
                        snrDb: import("zod").ZodNullable<import("zod").ZodNumber>;
                        accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                        fluency: import("zod").ZodNullable<import("zod").ZodNumber>;
                        prosody: import("zod").ZodNullable<import("zod").ZodNumber>;
                        completeness: import("zod").ZodNullable<import("zod").ZodNumber>;
                        pron: import("zod").ZodNullable<import("zod").ZodNumber>;
                        words: import("zod").ZodArray<import("zod").ZodObject<{
                            word: import("zod").ZodString;
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                            accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                            error: import("zod").ZodEnum<{
                                Insertion: "Insertion";
                                Mispronunciation: "Mispronunciation";
                                MissingBreak: "MissingBreak";
                                Monotone: "Monotone";
                                None: "None";
                                Omission: "Omission";
                                UnexpectedBreak: "UnexpectedBreak";
                            }>;
                            phonemes: import("zod").ZodArray<import("zod").ZodObject<{
                                phoneme: import("zod").ZodString;
                                startMs: import("zod").ZodNumber;
                                endMs: import("zod").ZodNumber;
                                accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                                heardAs: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
                                    phoneme: import("zod").ZodString;
                                    likelihood: import("zod").ZodNumber;
                                }, import("zod/v4/core").$strip>>>;
                            }, import("zod/v4/core").$strip>>;
                        }, import("zod/v4/core").$strip>>;
                        pitch: import("zod").ZodArray<import("zod").ZodObject<{
                            ms: import("zod").ZodNumber;
                            hz: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        pauses: import("zod").ZodArray<import("zod").ZodObject<{
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        unusable: import("zod").ZodOptional<import("zod").ZodObject<{
                            reason: import("zod").ZodEnum<{
                                clipped: "clipped";
                                noisy: "noisy";
                                not_the_text: "not_the_text";
                                silent: "silent";
                                too_short: "too_short";
                            }>;
                            hint: import("zod").ZodString;
                        }, import("zod/v4/core").$strip>>;
                    }, import("zod/v4/core").$strip>>;
                    hintLevel: import("zod").ZodNumber;
                }, import("zod/v4/core").$strip>], "role">>;
                objectives: import("zod").ZodArray<import("zod").ZodObject<{
                    objectiveId: import("zod").ZodUUID;
                    description: import("zod").ZodString;
                    provedBy: import("zod").ZodNullable<import("zod").ZodString>;
                }, import("zod/v4/core").$strip>>;
                waitingTurn: import("zod").ZodNullable<import("zod").ZodDiscriminatedUnion<[import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"heard">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    text: import("zod").ZodString;
                    assessment: import("zod").ZodObject<{
                        source: import("zod").ZodEnum<{
                            azure: "azure";
                            device: "device";
                        }>;
                        durationMs: import("zod").ZodNumber;
                        snrDb: import("zod").ZodNullable<import("zod").ZodNumber>;
                        accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                        fluency: import("zod").ZodNullable<import("zod").ZodNumber>;
                        prosody: import("zod").ZodNullable<import("zod").ZodNumber>;
                        completeness: import("zod").ZodNullable<import("zod").ZodNumber>;
                        pron: import("zod").ZodNullable<import("zod").ZodNumber>;
                        words: import("zod").ZodArray<import("zod").ZodObject<{
                            word: import("zod").ZodString;
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                            accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                            error: import("zod").ZodEnum<{
                                Insertion: "Insertion";
                                Mispronunciation: "Mispronunciation";
                                MissingBreak: "MissingBreak";
                                Monotone: "Monotone";
                                None: "None";
                                Omission: "Omission";
                                UnexpectedBreak: "UnexpectedBreak";
                            }>;
                            phonemes: import("zod").ZodArray<import("zod").ZodObject<{
                                phoneme: import("zod").ZodString;
                                startMs: import("zod").ZodNumber;
                                endMs: import("zod").ZodNumber;
                                accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                                heardAs: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
                                    phoneme: import("zod").ZodString;
                                    likelihood: import("zod").ZodNumber;
                                }, import("zod/v4/core").$strip>>>;
                            }, import("zod/v4/core").$strip>>;
                        }, import("zod/v4/core").$strip>>;
                        pitch: import("zod").ZodArray<import("zod").ZodObject<{
                            ms: import("zod").ZodNumber;
                            hz: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        pauses: import("zod").ZodArray<import("zod").ZodObject<{
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        unusable: import("zod").ZodOptional<import("zod").ZodObject<{
                            reason: import("zod").ZodEnum<{
                                clipped: "clipped";
                                noisy: "noisy";
                                not_the_text: "not_the_text";
                                silent: "silent";
                                too_short: "too_short";
                            }>;
                            hint: import("zod").ZodString;
                        }, import("zod/v4/core").$strip>>;
                    }, import("zod/v4/core").$strip>;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"not_recognised">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    candidates: import("zod").ZodArray<import("zod").ZodString>;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"unusable">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    reason: import("zod").ZodEnum<{
                        clipped: "clipped";
                        noisy: "noisy";
                        not_the_text: "not_the_text";
                        silent: "silent";
                        too_short: "too_short";
                    }>;
                    hint: import("zod").ZodString;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"not_scored">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    candidates: import("zod").ZodArray<import("zod").ZodString>;
                }, import("zod/v4/core").$strip>], "status">>;
                startedAt: import("zod").ZodDate;
                durationS: import("zod").ZodNumber;
            }, import("zod/v4/core").$strip>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            discardTurn: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodObject<{
                sessionId: import("zod").ZodUUID;
                turnId: import("zod").ZodUUID;
            }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                sessionId: import("zod").ZodUUID;
                practiceId: import("zod").ZodUUID;
                title: import("zod").ZodString;
                scenario: import("zod").ZodString;
                coach: import("zod").ZodObject<{
                    agentId: import("zod").ZodUUID;
                    name: import("zod").ZodString;
                    avatarUrl: import("zod").ZodString;
                    communicationStyle: import("zod").ZodString;
                    characterTraits: import("zod").ZodArray<import("zod").ZodString>;
                    skills: import("zod").ZodArray<import("zod").ZodString>;
                    voice: import("zod").ZodObject<{
                        gender: import("zod").ZodEnum<{
                            female: "female";
                            male: "male";
                        }>;
                        locale: import("zod").ZodString;
                        rate: import("zod").ZodNumber;
                        pitch: import("zod").ZodNumber;
                    }, import("zod/v4/core").$strip>;
                }, import("zod/v4/core").$strip>;
                difficulty: import("zod").ZodEnum<{
                    easy: "easy";
                    hard: "hard";
                    intermediate: "intermediate";
                }>;
                communicationStyle: import("zod").ZodEnum<{
                    audio: "audio";
                    text: "text";
                }>;
                phase: import("zod").ZodEnum<{
                    ended: "ended";
                    learner_turn: "learner_turn";
                    paused: "paused";
                    scored: "scored";
                    scoring: "scoring";
                    scoring_failed: "scoring_failed";
                }>;
                turns: import("zod").ZodArray<import("zod").ZodDiscriminatedUnion<[import("zod").ZodObject<{
                    role: import("zod").ZodLiteral<"coach">;
                    turnId: import("zod").ZodUUID;
                    at: import("zod").ZodISODateTime;
                    text: import("zod").ZodString;
                    node: import("zod").ZodNullable<import("zod").ZodString>;
                    kind: import("zod").ZodEnum<{
                        goodbye: "goodbye";
                        line: "line";
                        rephrase: "rephrase";
                    }>;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    role: import("zod").ZodLiteral<"learner">;
                    turnId: import("zod").ZodUUID;
                    at: import("zod").ZodISODateTime;
                    text: import("zod").ZodString;
                    mode: import("zod").ZodEnum<{
                        typed: "typed";
                        voice: "voice";
                    }>;
                    node: import("zod").ZodNullable<import("zod").ZodString>;
                    fitted: import("zod").ZodBoolean;
                    recordingId: import("zod").ZodNullable<import("zod").ZodUUID>;
                    assessment: import("zod").ZodNullable<import("zod").ZodObject<{
                        source: import("zod").ZodEnum<{
                            azure: "azure";
                            device: "device";
                        }>;
                        durationMs: import("zod").ZodNumber;
                        snrDb: import("zod").ZodNullable<import("zod").ZodNumber>;
                        accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                        fluency: import("zod").ZodNullable<import("zod").ZodNumber>;
                        prosody: import("zod").ZodNullable<import("zod").ZodNumber>;
                        completeness: import("zod").ZodNullable<import("zod").ZodNumber>;
                        pron: import("zod").ZodNullable<import("zod").ZodNumber>;
                        words: import("zod").ZodArray<import("zod").ZodObject<{
                            word: import("zod").ZodString;
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                            accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                            error: import("zod").ZodEnum<{
                                Insertion: "Insertion";
                                Mispronunciation: "Mispronunciation";
                                MissingBreak: "MissingBreak";
                                Monotone: "Monotone";
                                None: "None";
                                Omission: "Omission";
                                UnexpectedBreak: "UnexpectedBreak";
                            }>;
                            phonemes: import("zod").ZodArray<import("zod").ZodObject<{
                                phoneme: import("zod").ZodString;
                                startMs: import("zod").ZodNumber;
                                endMs: import("zod").ZodNumber;
                                accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                                heardAs: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
                                    phoneme: import("zod").ZodString;
                                    likelihood: import("zod").ZodNumber;
                                }, import("zod/v4/core").$strip>>>;
                            }, import("zod/v4/core").$strip>>;
                        }, import("zod/v4/core").$strip>>;
                        pitch: import("zod").ZodArray<import("zod").ZodObject<{
                            ms: import("zod").ZodNumber;
                            hz: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        pauses: import("zod").ZodArray<import("zod").ZodObject<{
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        unusable: import("zod").ZodOptional<import("zod").ZodObject<{
                            reason: import("zod").ZodEnum<{
                                clipped: "clipped";
                                noisy: "noisy";
                                not_the_text: "not_the_text";
                                silent: "silent";
                                too_short: "too_short";
                            }>;
                            hint: import("zod").ZodString;
                        }, import("zod/v4/core").$strip>>;
                    }, import("zod/v4/core").$strip>>;
                    hintLevel: import("zod").ZodNumber;
                }, import("zod/v4/core").$strip>], "role">>;
                objectives: import("zod").ZodArray<import("zod").ZodObject<{
                    objectiveId: import("zod").ZodUUID;
                    description: import("zod").ZodString;
                    provedBy: import("zod").ZodNullable<import("zod").ZodString>;
                }, import("zod/v4/core").$strip>>;
                waitingTurn: import("zod").ZodNullable<import("zod").ZodDiscriminatedUnion<[import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"heard">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    text: import("zod").ZodString;
                    assessment: import("zod").ZodObject<{
                        source: import("zod").ZodEnum<{
                            azure: "azure";
                            device: "device";
                        }>;
                        durationMs: import("zod").ZodNumber;
                        snrDb: import("zod").ZodNullable<import("zod").ZodNumber>;
                        accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                        fluency: import("zod").ZodNullable<import("zod").ZodNumber>;
                        prosody: import("zod").ZodNullable<import("zod").ZodNumber>;
                        completeness: import("zod").ZodNullable<import("zod").ZodNumber>;
                        pron: import("zod").ZodNullable<import("zod").ZodNumber>;
                        words: import("zod").ZodArray<import("zod").ZodObject<{
                            word: import("zod").ZodString;
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                            accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                            error: import("zod").ZodEnum<{
                                Insertion: "Insertion";
                                Mispronunciation: "Mispronunciation";
                                MissingBreak: "MissingBreak";
                                Monotone: "Monotone";
                                None: "None";
                                Omission: "Omission";
                                UnexpectedBreak: "UnexpectedBreak";
                            }>;
                            phonemes: import("zod").ZodArray<import("zod").ZodObject<{
                                phoneme: import("zod").ZodString;
                                startMs: import("zod").ZodNumber;
                                endMs: import("zod").ZodNumber;
                                accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                                heardAs: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
                                    phoneme: import("zod").ZodString;
                                    likelihood: import("zod").ZodNumber;
                                }, import("zod/v4/core").$strip>>>;
                            }, import("zod/v4/core").$strip>>;
                        }, import("zod/v4/core").$strip>>;
                        pitch: import("zod").ZodArray<import("zod").ZodObject<{
                            ms: import("zod").ZodNumber;
                            hz: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        pauses: import("zod").ZodArray<import("zod").ZodObject<{
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        unusable: import("zod").ZodOptional<import("zod").ZodObject<{
                            reason: import("zod").ZodEnum<{
                                clipped: "clipped";
                                noisy: "noisy";
                                not_the_text: "not_the_text";
                                silent: "silent";
                                too_short: "too_short";
                            }>;
                            hint: import("zod").ZodString;
                        }, import("zod/v4/core").$strip>>;
                    }, import("zod/v4/core").$strip>;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"not_recognised">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    candidates: import("zod").ZodArray<import("zod").ZodString>;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"unusable">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    reason: import("zod").ZodEnum<{
                        clipped: "clipped";
                        noisy: "noisy";
                        not_the_text: "not_the_text";
                        silent: "silent";
                        too_short: "too_short";
                    }>;
                    hint: import("zod").ZodString;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"not_scored">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    candidates: import("zod").ZodArray<import("zod").ZodString>;
                }, import("zod/v4/core").$strip>], "status">>;
                startedAt: import("zod").ZodDate;
                durationS: import("zod").ZodNumber;
            }, import("zod/v4/core").$strip>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            sendTyped: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodObject<{
                sessionId: import("zod").ZodUUID;
                text: import("zod").ZodString;
                hintLevel: import("zod").ZodNumber;
            }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                sessionId: import("zod").ZodUUID;
                practiceId: import("zod").ZodUUID;
                title: import("zod").ZodString;
                scenario: import("zod").ZodString;
                coach: import("zod").ZodObject<{
                    agentId: import("zod").ZodUUID;
                    name: import("zod").ZodString;
                    avatarUrl: import("zod").ZodString;
                    communicationStyle: import("zod").ZodString;
                    characterTraits: import("zod").ZodArray<import("zod").ZodString>;
                    skills: import("zod").ZodArray<import("zod").ZodString>;
                    voice: import("zod").ZodObject<{
                        gender: import("zod").ZodEnum<{
                            female: "female";
                            male: "male";
                        }>;
                        locale: import("zod").ZodString;
                        rate: import("zod").ZodNumber;
                        pitch: import("zod").ZodNumber;
                    }, import("zod/v4/core").$strip>;
                }, import("zod/v4/core").$strip>;
                difficulty: import("zod").ZodEnum<{
                    easy: "easy";
                    hard: "hard";
                    intermediate: "intermediate";
                }>;
                communicationStyle: import("zod").ZodEnum<{
                    audio: "audio";
                    text: "text";
                }>;
                phase: import("zod").ZodEnum<{
                    ended: "ended";
                    learner_turn: "learner_turn";
                    paused: "paused";
                    scored: "scored";
                    scoring: "scoring";
                    scoring_failed: "scoring_failed";
                }>;
                turns: import("zod").ZodArray<import("zod").ZodDiscriminatedUnion<[import("zod").ZodObject<{
                    role: import("zod").ZodLiteral<"coach">;
                    turnId: import("zod").ZodUUID;
                    at: import("zod").ZodISODateTime;
                    text: import("zod").ZodString;
                    node: import("zod").ZodNullable<import("zod").ZodString>;
                    kind: import("zod").ZodEnum<{
                        goodbye: "goodbye";
                        line: "line";
                        rephrase: "rephrase";
                    }>;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    role: import("zod").ZodLiteral<"learner">;
                    turnId: import("zod").ZodUUID;
                    at: import("zod").ZodISODateTime;
                    text: import("zod").ZodString;
                    mode: import("zod").ZodEnum<{
                        typed: "typed";
                        voice: "voice";
                    }>;
                    node: import("zod").ZodNullable<import("zod").ZodString>;
                    fitted: import("zod").ZodBoolean;
                    recordingId: import("zod").ZodNullable<import("zod").ZodUUID>;
                    assessment: import("zod").ZodNullable<import("zod").ZodObject<{
                        source: import("zod").ZodEnum<{
                            azure: "azure";
                            device: "device";
                        }>;
                        durationMs: import("zod").ZodNumber;
                        snrDb: import("zod").ZodNullable<import("zod").ZodNumber>;
                        accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                        fluency: import("zod").ZodNullable<import("zod").ZodNumber>;
                        prosody: import("zod").ZodNullable<import("zod").ZodNumber>;
                        completeness: import("zod").ZodNullable<import("zod").ZodNumber>;
                        pron: import("zod").ZodNullable<import("zod").ZodNumber>;
                        words: import("zod").ZodArray<import("zod").ZodObject<{
                            word: import("zod").ZodString;
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                            accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                            error: import("zod").ZodEnum<{
                                Insertion: "Insertion";
                                Mispronunciation: "Mispronunciation";
                                MissingBreak: "MissingBreak";
                                Monotone: "Monotone";
                                None: "None";
                                Omission: "Omission";
                                UnexpectedBreak: "UnexpectedBreak";
                            }>;
                            phonemes: import("zod").ZodArray<import("zod").ZodObject<{
                                phoneme: import("zod").ZodString;
                                startMs: import("zod").ZodNumber;
                                endMs: import("zod").ZodNumber;
                                accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                                heardAs: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
                                    phoneme: import("zod").ZodString;
                                    likelihood: import("zod").ZodNumber;
                                }, import("zod/v4/core").$strip>>>;
                            }, import("zod/v4/core").$strip>>;
                        }, import("zod/v4/core").$strip>>;
                        pitch: import("zod").ZodArray<import("zod").ZodObject<{
                            ms: import("zod").ZodNumber;
                            hz: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        pauses: import("zod").ZodArray<import("zod").ZodObject<{
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        unusable: import("zod").ZodOptional<import("zod").ZodObject<{
                            reason: import("zod").ZodEnum<{
                                clipped: "clipped";
                                noisy: "noisy";
                                not_the_text: "not_the_text";
                                silent: "silent";
                                too_short: "too_short";
                            }>;
                            hint: import("zod").ZodString;
                        }, import("zod/v4/core").$strip>>;
                    }, import("zod/v4/core").$strip>>;
                    hintLevel: import("zod").ZodNumber;
                }, import("zod/v4/core").$strip>], "role">>;
                objectives: import("zod").ZodArray<import("zod").ZodObject<{
                    objectiveId: import("zod").ZodUUID;
                    description: import("zod").ZodString;
                    provedBy: import("zod").ZodNullable<import("zod").ZodString>;
                }, import("zod/v4/core").$strip>>;
                waitingTurn: import("zod").ZodNullable<import("zod").ZodDiscriminatedUnion<[import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"heard">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    text: import("zod").ZodString;
                    assessment: import("zod").ZodObject<{
                        source: import("zod").ZodEnum<{
                            azure: "azure";
                            device: "device";
                        }>;
                        durationMs: import("zod").ZodNumber;
                        snrDb: import("zod").ZodNullable<import("zod").ZodNumber>;
                        accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                        fluency: import("zod").ZodNullable<import("zod").ZodNumber>;
                        prosody: import("zod").ZodNullable<import("zod").ZodNumber>;
                        completeness: import("zod").ZodNullable<import("zod").ZodNumber>;
                        pron: import("zod").ZodNullable<import("zod").ZodNumber>;
                        words: import("zod").ZodArray<import("zod").ZodObject<{
                            word: import("zod").ZodString;
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                            accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                            error: import("zod").ZodEnum<{
                                Insertion: "Insertion";
                                Mispronunciation: "Mispronunciation";
                                MissingBreak: "MissingBreak";
                                Monotone: "Monotone";
                                None: "None";
                                Omission: "Omission";
                                UnexpectedBreak: "UnexpectedBreak";
                            }>;
                            phonemes: import("zod").ZodArray<import("zod").ZodObject<{
                                phoneme: import("zod").ZodString;
                                startMs: import("zod").ZodNumber;
                                endMs: import("zod").ZodNumber;
                                accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                                heardAs: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
                                    phoneme: import("zod").ZodString;
                                    likelihood: import("zod").ZodNumber;
                                }, import("zod/v4/core").$strip>>>;
                            }, import("zod/v4/core").$strip>>;
                        }, import("zod/v4/core").$strip>>;
                        pitch: import("zod").ZodArray<import("zod").ZodObject<{
                            ms: import("zod").ZodNumber;
                            hz: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        pauses: import("zod").ZodArray<import("zod").ZodObject<{
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        unusable: import("zod").ZodOptional<import("zod").ZodObject<{
                            reason: import("zod").ZodEnum<{
                                clipped: "clipped";
                                noisy: "noisy";
                                not_the_text: "not_the_text";
                                silent: "silent";
                                too_short: "too_short";
                            }>;
                            hint: import("zod").ZodString;
                        }, import("zod/v4/core").$strip>>;
                    }, import("zod/v4/core").$strip>;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"not_recognised">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    candidates: import("zod").ZodArray<import("zod").ZodString>;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"unusable">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    reason: import("zod").ZodEnum<{
                        clipped: "clipped";
                        noisy: "noisy";
                        not_the_text: "not_the_text";
                        silent: "silent";
                        too_short: "too_short";
                    }>;
                    hint: import("zod").ZodString;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"not_scored">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    candidates: import("zod").ZodArray<import("zod").ZodString>;
                }, import("zod/v4/core").$strip>], "status">>;
                startedAt: import("zod").ZodDate;
                durationS: import("zod").ZodNumber;
            }, import("zod/v4/core").$strip>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            hint: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodObject<{
                sessionId: import("zod").ZodUUID;
                level: import("zod").ZodNumber;
            }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                hints: import("zod").ZodArray<import("zod").ZodString>;
            }, import("zod/v4/core").$strip>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            pause: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodObject<{
                sessionId: import("zod").ZodUUID;
            }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                sessionId: import("zod").ZodUUID;
                practiceId: import("zod").ZodUUID;
                title: import("zod").ZodString;
                scenario: import("zod").ZodString;
                coach: import("zod").ZodObject<{
                    agentId: import("zod").ZodUUID;
                    name: import("zod").ZodString;
                    avatarUrl: import("zod").ZodString;
                    communicationStyle: import("zod").ZodString;
                    characterTraits: import("zod").ZodArray<import("zod").ZodString>;
                    skills: import("zod").ZodArray<import("zod").ZodString>;
                    voice: import("zod").ZodObject<{
                        gender: import("zod").ZodEnum<{
                            female: "female";
                            male: "male";
                        }>;
                        locale: import("zod").ZodString;
                        rate: import("zod").ZodNumber;
                        pitch: import("zod").ZodNumber;
                    }, import("zod/v4/core").$strip>;
                }, import("zod/v4/core").$strip>;
                difficulty: import("zod").ZodEnum<{
                    easy: "easy";
                    hard: "hard";
                    intermediate: "intermediate";
                }>;
                communicationStyle: import("zod").ZodEnum<{
                    audio: "audio";
                    text: "text";
                }>;
                phase: import("zod").ZodEnum<{
                    ended: "ended";
                    learner_turn: "learner_turn";
                    paused: "paused";
                    scored: "scored";
                    scoring: "scoring";
                    scoring_failed: "scoring_failed";
                }>;
                turns: import("zod").ZodArray<import("zod").ZodDiscriminatedUnion<[import("zod").ZodObject<{
                    role: import("zod").ZodLiteral<"coach">;
                    turnId: import("zod").ZodUUID;
                    at: import("zod").ZodISODateTime;
                    text: import("zod").ZodString;
                    node: import("zod").ZodNullable<import("zod").ZodString>;
                    kind: import("zod").ZodEnum<{
                        goodbye: "goodbye";
                        line: "line";
                        rephrase: "rephrase";
                    }>;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    role: import("zod").ZodLiteral<"learner">;
                    turnId: import("zod").ZodUUID;
                    at: import("zod").ZodISODateTime;
                    text: import("zod").ZodString;
                    mode: import("zod").ZodEnum<{
                        typed: "typed";
                        voice: "voice";
                    }>;
                    node: import("zod").ZodNullable<import("zod").ZodString>;
                    fitted: import("zod").ZodBoolean;
                    recordingId: import("zod").ZodNullable<import("zod").ZodUUID>;
                    assessment: import("zod").ZodNullable<import("zod").ZodObject<{
                        source: import("zod").ZodEnum<{
                            azure: "azure";
                            device: "device";
                        }>;
                        durationMs: import("zod").ZodNumber;
                        snrDb: import("zod").ZodNullable<import("zod").ZodNumber>;
                        accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                        fluency: import("zod").ZodNullable<import("zod").ZodNumber>;
                        prosody: import("zod").ZodNullable<import("zod").ZodNumber>;
                        completeness: import("zod").ZodNullable<import("zod").ZodNumber>;
                        pron: import("zod").ZodNullable<import("zod").ZodNumber>;
                        words: import("zod").ZodArray<import("zod").ZodObject<{
                            word: import("zod").ZodString;
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                            accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                            error: import("zod").ZodEnum<{
                                Insertion: "Insertion";
                                Mispronunciation: "Mispronunciation";
                                MissingBreak: "MissingBreak";
                                Monotone: "Monotone";
                                None: "None";
                                Omission: "Omission";
                                UnexpectedBreak: "UnexpectedBreak";
                            }>;
                            phonemes: import("zod").ZodArray<import("zod").ZodObject<{
                                phoneme: import("zod").ZodString;
                                startMs: import("zod").ZodNumber;
                                endMs: import("zod").ZodNumber;
                                accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                                heardAs: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
                                    phoneme: import("zod").ZodString;
                                    likelihood: import("zod").ZodNumber;
                                }, import("zod/v4/core").$strip>>>;
                            }, import("zod/v4/core").$strip>>;
                        }, import("zod/v4/core").$strip>>;
                        pitch: import("zod").ZodArray<import("zod").ZodObject<{
                            ms: import("zod").ZodNumber;
                            hz: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        pauses: import("zod").ZodArray<import("zod").ZodObject<{
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        unusable: import("zod").ZodOptional<import("zod").ZodObject<{
                            reason: import("zod").ZodEnum<{
                                clipped: "clipped";
                                noisy: "noisy";
                                not_the_text: "not_the_text";
                                silent: "silent";
                                too_short: "too_short";
                            }>;
                            hint: import("zod").ZodString;
                        }, import("zod/v4/core").$strip>>;
                    }, import("zod/v4/core").$strip>>;
                    hintLevel: import("zod").ZodNumber;
                }, import("zod/v4/core").$strip>], "role">>;
                objectives: import("zod").ZodArray<import("zod").ZodObject<{
                    objectiveId: import("zod").ZodUUID;
                    description: import("zod").ZodString;
                    provedBy: import("zod").ZodNullable<import("zod").ZodString>;
                }, import("zod/v4/core").$strip>>;
                waitingTurn: import("zod").ZodNullable<import("zod").ZodDiscriminatedUnion<[import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"heard">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    text: import("zod").ZodString;
                    assessment: import("zod").ZodObject<{
                        source: import("zod").ZodEnum<{
                            azure: "azure";
                            device: "device";
                        }>;
                        durationMs: import("zod").ZodNumber;
                        snrDb: import("zod").ZodNullable<import("zod").ZodNumber>;
                        accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                        fluency: import("zod").ZodNullable<import("zod").ZodNumber>;
                        prosody: import("zod").ZodNullable<import("zod").ZodNumber>;
                        completeness: import("zod").ZodNullable<import("zod").ZodNumber>;
                        pron: import("zod").ZodNullable<import("zod").ZodNumber>;
                        words: import("zod").ZodArray<import("zod").ZodObject<{
                            word: import("zod").ZodString;
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                            accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                            error: import("zod").ZodEnum<{
                                Insertion: "Insertion";
                                Mispronunciation: "Mispronunciation";
                                MissingBreak: "MissingBreak";
                                Monotone: "Monotone";
                                None: "None";
                                Omission: "Omission";
                                UnexpectedBreak: "UnexpectedBreak";
                            }>;
                            phonemes: import("zod").ZodArray<import("zod").ZodObject<{
                                phoneme: import("zod").ZodString;
                                startMs: import("zod").ZodNumber;
                                endMs: import("zod").ZodNumber;
                                accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                                heardAs: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
                                    phoneme: import("zod").ZodString;
                                    likelihood: import("zod").ZodNumber;
                                }, import("zod/v4/core").$strip>>>;
                            }, import("zod/v4/core").$strip>>;
                        }, import("zod/v4/core").$strip>>;
                        pitch: import("zod").ZodArray<import("zod").ZodObject<{
                            ms: import("zod").ZodNumber;
                            hz: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        pauses: import("zod").ZodArray<import("zod").ZodObject<{
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        unusable: import("zod").ZodOptional<import("zod").ZodObject<{
                            reason: import("zod").ZodEnum<{
                                clipped: "clipped";
                                noisy: "noisy";
                                not_the_text: "not_the_text";
                                silent: "silent";
                                too_short: "too_short";
                            }>;
                            hint: import("zod").ZodString;
                        }, import("zod/v4/core").$strip>>;
                    }, import("zod/v4/core").$strip>;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"not_recognised">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    candidates: import("zod").ZodArray<import("zod").ZodString>;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"unusable">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    reason: import("zod").ZodEnum<{
                        clipped: "clipped";
                        noisy: "noisy";
                        not_the_text: "not_the_text";
                        silent: "silent";
                        too_short: "too_short";
                    }>;
                    hint: import("zod").ZodString;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"not_scored">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    candidates: import("zod").ZodArray<import("zod").ZodString>;
                }, import("zod/v4/core").$strip>], "status">>;
                startedAt: import("zod").ZodDate;
                durationS: import("zod").ZodNumber;
            }, import("zod/v4/core").$strip>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            resume: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodObject<{
                sessionId: import("zod").ZodUUID;
            }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                sessionId: import("zod").ZodUUID;
                practiceId: import("zod").ZodUUID;
                title: import("zod").ZodString;
                scenario: import("zod").ZodString;
                coach: import("zod").ZodObject<{
                    agentId: import("zod").ZodUUID;
                    name: import("zod").ZodString;
                    avatarUrl: import("zod").ZodString;
                    communicationStyle: import("zod").ZodString;
                    characterTraits: import("zod").ZodArray<import("zod").ZodString>;
                    skills: import("zod").ZodArray<import("zod").ZodString>;
                    voice: import("zod").ZodObject<{
                        gender: import("zod").ZodEnum<{
                            female: "female";
                            male: "male";
                        }>;
                        locale: import("zod").ZodString;
                        rate: import("zod").ZodNumber;
                        pitch: import("zod").ZodNumber;
                    }, import("zod/v4/core").$strip>;
                }, import("zod/v4/core").$strip>;
                difficulty: import("zod").ZodEnum<{
                    easy: "easy";
                    hard: "hard";
                    intermediate: "intermediate";
                }>;
                communicationStyle: import("zod").ZodEnum<{
                    audio: "audio";
                    text: "text";
                }>;
                phase: import("zod").ZodEnum<{
                    ended: "ended";
                    learner_turn: "learner_turn";
                    paused: "paused";
                    scored: "scored";
                    scoring: "scoring";
                    scoring_failed: "scoring_failed";
                }>;
                turns: import("zod").ZodArray<import("zod").ZodDiscriminatedUnion<[import("zod").ZodObject<{
                    role: import("zod").ZodLiteral<"coach">;
                    turnId: import("zod").ZodUUID;
                    at: import("zod").ZodISODateTime;
                    text: import("zod").ZodString;
                    node: import("zod").ZodNullable<import("zod").ZodString>;
                    kind: import("zod").ZodEnum<{
                        goodbye: "goodbye";
                        line: "line";
                        rephrase: "rephrase";
                    }>;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    role: import("zod").ZodLiteral<"learner">;
                    turnId: import("zod").ZodUUID;
                    at: import("zod").ZodISODateTime;
                    text: import("zod").ZodString;
                    mode: import("zod").ZodEnum<{
                        typed: "typed";
                        voice: "voice";
                    }>;
                    node: import("zod").ZodNullable<import("zod").ZodString>;
                    fitted: import("zod").ZodBoolean;
                    recordingId: import("zod").ZodNullable<import("zod").ZodUUID>;
                    assessment: import("zod").ZodNullable<import("zod").ZodObject<{
                        source: import("zod").ZodEnum<{
                            azure: "azure";
                            device: "device";
                        }>;
                        durationMs: import("zod").ZodNumber;
                        snrDb: import("zod").ZodNullable<import("zod").ZodNumber>;
                        accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                        fluency: import("zod").ZodNullable<import("zod").ZodNumber>;
                        prosody: import("zod").ZodNullable<import("zod").ZodNumber>;
                        completeness: import("zod").ZodNullable<import("zod").ZodNumber>;
                        pron: import("zod").ZodNullable<import("zod").ZodNumber>;
                        words: import("zod").ZodArray<import("zod").ZodObject<{
                            word: import("zod").ZodString;
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                            accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                            error: import("zod").ZodEnum<{
                                Insertion: "Insertion";
                                Mispronunciation: "Mispronunciation";
                                MissingBreak: "MissingBreak";
                                Monotone: "Monotone";
                                None: "None";
                                Omission: "Omission";
                                UnexpectedBreak: "UnexpectedBreak";
                            }>;
                            phonemes: import("zod").ZodArray<import("zod").ZodObject<{
                                phoneme: import("zod").ZodString;
                                startMs: import("zod").ZodNumber;
                                endMs: import("zod").ZodNumber;
                                accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                                heardAs: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
                                    phoneme: import("zod").ZodString;
                                    likelihood: import("zod").ZodNumber;
                                }, import("zod/v4/core").$strip>>>;
                            }, import("zod/v4/core").$strip>>;
                        }, import("zod/v4/core").$strip>>;
                        pitch: import("zod").ZodArray<import("zod").ZodObject<{
                            ms: import("zod").ZodNumber;
                            hz: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        pauses: import("zod").ZodArray<import("zod").ZodObject<{
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        unusable: import("zod").ZodOptional<import("zod").ZodObject<{
                            reason: import("zod").ZodEnum<{
                                clipped: "clipped";
                                noisy: "noisy";
                                not_the_text: "not_the_text";
                                silent: "silent";
                                too_short: "too_short";
                            }>;
                            hint: import("zod").ZodString;
                        }, import("zod/v4/core").$strip>>;
                    }, import("zod/v4/core").$strip>>;
                    hintLevel: import("zod").ZodNumber;
                }, import("zod/v4/core").$strip>], "role">>;
                objectives: import("zod").ZodArray<import("zod").ZodObject<{
                    objectiveId: import("zod").ZodUUID;
                    description: import("zod").ZodString;
                    provedBy: import("zod").ZodNullable<import("zod").ZodString>;
                }, import("zod/v4/core").$strip>>;
                waitingTurn: import("zod").ZodNullable<import("zod").ZodDiscriminatedUnion<[import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"heard">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    text: import("zod").ZodString;
                    assessment: import("zod").ZodObject<{
                        source: import("zod").ZodEnum<{
                            azure: "azure";
                            device: "device";
                        }>;
                        durationMs: import("zod").ZodNumber;
                        snrDb: import("zod").ZodNullable<import("zod").ZodNumber>;
                        accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                        fluency: import("zod").ZodNullable<import("zod").ZodNumber>;
                        prosody: import("zod").ZodNullable<import("zod").ZodNumber>;
                        completeness: import("zod").ZodNullable<import("zod").ZodNumber>;
                        pron: import("zod").ZodNullable<import("zod").ZodNumber>;
                        words: import("zod").ZodArray<import("zod").ZodObject<{
                            word: import("zod").ZodString;
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                            accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                            error: import("zod").ZodEnum<{
                                Insertion: "Insertion";
                                Mispronunciation: "Mispronunciation";
                                MissingBreak: "MissingBreak";
                                Monotone: "Monotone";
                                None: "None";
                                Omission: "Omission";
                                UnexpectedBreak: "UnexpectedBreak";
                            }>;
                            phonemes: import("zod").ZodArray<import("zod").ZodObject<{
                                phoneme: import("zod").ZodString;
                                startMs: import("zod").ZodNumber;
                                endMs: import("zod").ZodNumber;
                                accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                                heardAs: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
                                    phoneme: import("zod").ZodString;
                                    likelihood: import("zod").ZodNumber;
                                }, import("zod/v4/core").$strip>>>;
                            }, import("zod/v4/core").$strip>>;
                        }, import("zod/v4/core").$strip>>;
                        pitch: import("zod").ZodArray<import("zod").ZodObject<{
                            ms: import("zod").ZodNumber;
                            hz: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        pauses: import("zod").ZodArray<import("zod").ZodObject<{
                            startMs: import("zod").ZodNumber;
                            endMs: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>>;
                        unusable: import("zod").ZodOptional<import("zod").ZodObject<{
                            reason: import("zod").ZodEnum<{
                                clipped: "clipped";
                                noisy: "noisy";
                                not_the_text: "not_the_text";
                                silent: "silent";
                                too_short: "too_short";
                            }>;
                            hint: import("zod").ZodString;
                        }, import("zod/v4/core").$strip>>;
                    }, import("zod/v4/core").$strip>;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"not_recognised">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    candidates: import("zod").ZodArray<import("zod").ZodString>;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"unusable">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    reason: import("zod").ZodEnum<{
                        clipped: "clipped";
                        noisy: "noisy";
                        not_the_text: "not_the_text";
                        silent: "silent";
                        too_short: "too_short";
                    }>;
                    hint: import("zod").ZodString;
                }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                    status: import("zod").ZodLiteral<"not_scored">;
                    turnId: import("zod").ZodUUID;
                    recordingId: import("zod").ZodUUID;
                    candidates: import("zod").ZodArray<import("zod").ZodString>;
                }, import("zod/v4/core").$strip>], "status">>;
                startedAt: import("zod").ZodDate;
                durationS: import("zod").ZodNumber;
            }, import("zod/v4/core").$strip>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            finish: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodObject<{
                sessionId: import("zod").ZodUUID;
            }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                session: import("zod").ZodObject<{
                    sessionId: import("zod").ZodUUID;
                    practiceId: import("zod").ZodUUID;
                    title: import("zod").ZodString;
                    scenario: import("zod").ZodString;
                    coach: import("zod").ZodObject<{
                        agentId: import("zod").ZodUUID;
                        name: import("zod").ZodString;
                        avatarUrl: import("zod").ZodString;
                        communicationStyle: import("zod").ZodString;
                        characterTraits: import("zod").ZodArray<import("zod").ZodString>;
                        skills: import("zod").ZodArray<import("zod").ZodString>;
                        voice: import("zod").ZodObject<{
                            gender: import("zod").ZodEnum<{
                                female: "female";
                                male: "male";
                            }>;
                            locale: import("zod").ZodString;
                            rate: import("zod").ZodNumber;
                            pitch: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>;
                    }, import("zod/v4/core").$strip>;
                    difficulty: import("zod").ZodEnum<{
                        easy: "easy";
                        hard: "hard";
                        intermediate: "intermediate";
                    }>;
                    communicationStyle: import("zod").ZodEnum<{
                        audio: "audio";
                        text: "text";
                    }>;
                    phase: import("zod").ZodEnum<{
                        ended: "ended";
                        learner_turn: "learner_turn";
                        paused: "paused";
                        scored: "scored";
                        scoring: "scoring";
                        scoring_failed: "scoring_failed";
                    }>;
                    turns: import("zod").ZodArray<import("zod").ZodDiscriminatedUnion<[import("zod").ZodObject<{
                        role: import("zod").ZodLiteral<"coach">;
                        turnId: import("zod").ZodUUID;
                        at: import("zod").ZodISODateTime;
                        text: import("zod").ZodString;
                        node: import("zod").ZodNullable<import("zod").ZodString>;
                        kind: import("zod").ZodEnum<{
                            goodbye: "goodbye";
                            line: "line";
                            rephrase: "rephrase";
                        }>;
                    }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                        role: import("zod").ZodLiteral<"learner">;
                        turnId: import("zod").ZodUUID;
                        at: import("zod").ZodISODateTime;
                        text: import("zod").ZodString;
                        mode: import("zod").ZodEnum<{
                            typed: "typed";
                            voice: "voice";
                        }>;
                        node: import("zod").ZodNullable<import("zod").ZodString>;
                        fitted: import("zod").ZodBoolean;
                        recordingId: import("zod").ZodNullable<import("zod").ZodUUID>;
                        assessment: import("zod").ZodNullable<import("zod").ZodObject<{
                            source: import("zod").ZodEnum<{
                                azure: "azure";
                                device: "device";
                            }>;
                            durationMs: import("zod").ZodNumber;
                            snrDb: import("zod").ZodNullable<import("zod").ZodNumber>;
                            accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                            fluency: import("zod").ZodNullable<import("zod").ZodNumber>;
                            prosody: import("zod").ZodNullable<import("zod").ZodNumber>;
                            completeness: import("zod").ZodNullable<import("zod").ZodNumber>;
                            pron: import("zod").ZodNullable<import("zod").ZodNumber>;
                            words: import("zod").ZodArray<import("zod").ZodObject<{
                                word: import("zod").ZodString;
                                startMs: import("zod").ZodNumber;
                                endMs: import("zod").ZodNumber;
                                accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                                error: import("zod").ZodEnum<{
                                    Insertion: "Insertion";
                                    Mispronunciation: "Mispronunciation";
                                    MissingBreak: "MissingBreak";
                                    Monotone: "Monotone";
                                    None: "None";
                                    Omission: "Omission";
                                    UnexpectedBreak: "UnexpectedBreak";
                                }>;
                                phonemes: import("zod").ZodArray<import("zod").ZodObject<{
                                    phoneme: import("zod").ZodString;
                                    startMs: import("zod").ZodNumber;
                                    endMs: import("zod").ZodNumber;
                                    accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                                    heardAs: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
                                        phoneme: import("zod").ZodString;
                                        likelihood: import("zod").ZodNumber;
                                    }, import("zod/v4/core").$strip>>>;
                                }, import("zod/v4/core").$strip>>;
                            }, import("zod/v4/core").$strip>>;
                            pitch: import("zod").ZodArray<import("zod").ZodObject<{
                                ms: import("zod").ZodNumber;
                                hz: import("zod").ZodNumber;
                            }, import("zod/v4/core").$strip>>;
                            pauses: import("zod").ZodArray<import("zod").ZodObject<{
                                startMs: import("zod").ZodNumber;
                                endMs: import("zod").ZodNumber;
                            }, import("zod/v4/core").$strip>>;
                            unusable: import("zod").ZodOptional<import("zod").ZodObject<{
                                reason: import("zod").ZodEnum<{
                                    clipped: "clipped";
                                    noisy: "noisy";
                                    not_the_text: "not_the_text";
                                    silent: "silent";
                                    too_short: "too_short";
                                }>;
                                hint: import("zod").ZodString;
                            }, import("zod/v4/core").$strip>>;
                        }, import("zod/v4/core").$strip>>;
                        hintLevel: import("zod").ZodNumber;
                    }, import("zod/v4/core").$strip>], "role">>;
                    objectives: import("zod").ZodArray<import("zod").ZodObject<{
                        objectiveId: import("zod").ZodUUID;
                        description: import("zod").ZodString;
                        provedBy: import("zod").ZodNullable<import("zod").ZodString>;
                    }, import("zod/v4/core").$strip>>;
                    waitingTurn: import("zod").ZodNullable<import("zod").ZodDiscriminatedUnion<[import("zod").ZodObject<{
                        status: import("zod").ZodLiteral<"heard">;
                        turnId: import("zod").ZodUUID;
                        recordingId: import("zod").ZodUUID;
                        text: import("zod").ZodString;
                        assessment: import("zod").ZodObject<{
                            source: import("zod").ZodEnum<{
                                azure: "azure";
                                device: "device";
                            }>;
                            durationMs: import("zod").ZodNumber;
                            snrDb: import("zod").ZodNullable<import("zod").ZodNumber>;
                            accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                            fluency: import("zod").ZodNullable<import("zod").ZodNumber>;
                            prosody: import("zod").ZodNullable<import("zod").ZodNumber>;
                            completeness: import("zod").ZodNullable<import("zod").ZodNumber>;
                            pron: import("zod").ZodNullable<import("zod").ZodNumber>;
                            words: import("zod").ZodArray<import("zod").ZodObject<{
                                word: import("zod").ZodString;
                                startMs: import("zod").ZodNumber;
                                endMs: import("zod").ZodNumber;
                                accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                                error: import("zod").ZodEnum<{
                                    Insertion: "Insertion";
                                    Mispronunciation: "Mispronunciation";
                                    MissingBreak: "MissingBreak";
                                    Monotone: "Monotone";
                                    None: "None";
                                    Omission: "Omission";
                                    UnexpectedBreak: "UnexpectedBreak";
                                }>;
                                phonemes: import("zod").ZodArray<import("zod").ZodObject<{
                                    phoneme: import("zod").ZodString;
                                    startMs: import("zod").ZodNumber;
                                    endMs: import("zod").ZodNumber;
                                    accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                                    heardAs: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
                                        phoneme: import("zod").ZodString;
                                        likelihood: import("zod").ZodNumber;
                                    }, import("zod/v4/core").$strip>>>;
                                }, import("zod/v4/core").$strip>>;
                            }, import("zod/v4/core").$strip>>;
                            pitch: import("zod").ZodArray<import("zod").ZodObject<{
                                ms: import("zod").ZodNumber;
                                hz: import("zod").ZodNumber;
                            }, import("zod/v4/core").$strip>>;
                            pauses: import("zod").ZodArray<import("zod").ZodObject<{
                                startMs: import("zod").ZodNumber;
                                endMs: import("zod").ZodNumber;
                            }, import("zod/v4/core").$strip>>;
                            unusable: import("zod").ZodOptional<import("zod").ZodObject<{
                                reason: import("zod").ZodEnum<{
                                    clipped: "clipped";
                                    noisy: "noisy";
                                    not_the_text: "not_the_text";
                                    silent: "silent";
                                    too_short: "too_short";
                                }>;
                                hint: import("zod").ZodString;
                            }, import("zod/v4/core").$strip>>;
                        }, import("zod/v4/core").$strip>;
                    }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                        status: import("zod").ZodLiteral<"not_recognised">;
                        turnId: import("zod").ZodUUID;
                        recordingId: import("zod").ZodUUID;
                        candidates: import("zod").ZodArray<import("zod").ZodString>;
                    }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                        status: import("zod").ZodLiteral<"unusable">;
                        turnId: import("zod").ZodUUID;
                        recordingId: import("zod").ZodUUID;
                        reason: import("zod").ZodEnum<{
                            clipped: "clipped";
                            noisy: "noisy";
                            not_the_text: "not_the_text";
                            silent: "silent";
                            too_short: "too_short";
                        }>;
                        hint: import("zod").ZodString;
                    }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                        status: import("zod").ZodLiteral<"not_scored">;
                        turnId: import("zod").ZodUUID;
                        recordingId: import("zod").ZodUUID;
                        candidates: import("zod").ZodArray<import("zod").ZodString>;
                    }, import("zod/v4/core").$strip>], "status">>;
                    startedAt: import("zod").ZodDate;
                    durationS: import("zod").ZodNumber;
                }, import("zod/v4/core").$strip>;
                status: import("zod").ZodEnum<{
                    completed: "completed";
                    failed_to_generate_score: "failed_to_generate_score";
                    in_progress: "in_progress";
                }>;
                overall: import("zod").ZodNullable<import("zod").ZodNumber>;
                dimensions: import("zod").ZodObject<{
                    accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                    fluency: import("zod").ZodNullable<import("zod").ZodNumber>;
                    prosody: import("zod").ZodNullable<import("zod").ZodNumber>;
                    completeness: import("zod").ZodNullable<import("zod").ZodNumber>;
                    pron: import("zod").ZodNullable<import("zod").ZodNumber>;
                    words: import("zod").ZodNullable<import("zod").ZodNumber>;
                }, import("zod/v4/core").$strip>;
                feedback: import("zod").ZodNullable<import("zod").ZodObject<{
                    best: import("zod").ZodString;
                    fix: import("zod").ZodString;
                    nextStep: import("zod").ZodString;
                    wordsToTrain: import("zod").ZodArray<import("zod").ZodObject<{
                        word: import("zod").ZodString;
                        ipa: import("zod").ZodString;
                        accuracy: import("zod").ZodNumber;
                        worstPhonemes: import("zod").ZodArray<import("zod").ZodString>;
                    }, import("zod/v4/core").$strip>>;
                }, import("zod/v4/core").$strip>>;
                summary: import("zod").ZodNullable<import("zod").ZodString>;
                endedAt: import("zod").ZodDate;
            }, import("zod/v4/core").$strip>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            discard: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodObject<{
                sessionId: import("zod").ZodUUID;
            }, import("zod/v4/core").$strip>, import("zod").ZodVoid, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            result: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodObject<{
                sessionId: import("zod").ZodUUID;
            }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                session: import("zod").ZodObject<{
                    sessionId: import("zod").ZodUUID;
                    practiceId: import("zod").ZodUUID;
                    title: import("zod").ZodString;
                    scenario: import("zod").ZodString;
                    coach: import("zod").ZodObject<{
                        agentId: import("zod").ZodUUID;
                        name: import("zod").ZodString;
                        avatarUrl: import("zod").ZodString;
                        communicationStyle: import("zod").ZodString;
                        characterTraits: import("zod").ZodArray<import("zod").ZodString>;
                        skills: import("zod").ZodArray<import("zod").ZodString>;
                        voice: import("zod").ZodObject<{
                            gender: import("zod").ZodEnum<{
                                female: "female";
                                male: "male";
                            }>;
                            locale: import("zod").ZodString;
                            rate: import("zod").ZodNumber;
                            pitch: import("zod").ZodNumber;
                        }, import("zod/v4/core").$strip>;
                    }, import("zod/v4/core").$strip>;
                    difficulty: import("zod").ZodEnum<{
                        easy: "easy";
                        hard: "hard";
                        intermediate: "intermediate";
                    }>;
                    communicationStyle: import("zod").ZodEnum<{
                        audio: "audio";
                        text: "text";
                    }>;
                    phase: import("zod").ZodEnum<{
                        ended: "ended";
                        learner_turn: "learner_turn";
                        paused: "paused";
                        scored: "scored";
                        scoring: "scoring";
                        scoring_failed: "scoring_failed";
                    }>;
                    turns: import("zod").ZodArray<import("zod").ZodDiscriminatedUnion<[import("zod").ZodObject<{
                        role: import("zod").ZodLiteral<"coach">;
                        turnId: import("zod").ZodUUID;
                        at: import("zod").ZodISODateTime;
                        text: import("zod").ZodString;
                        node: import("zod").ZodNullable<import("zod").ZodString>;
                        kind: import("zod").ZodEnum<{
                            goodbye: "goodbye";
                            line: "line";
                            rephrase: "rephrase";
                        }>;
                    }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                        role: import("zod").ZodLiteral<"learner">;
                        turnId: import("zod").ZodUUID;
                        at: import("zod").ZodISODateTime;
                        text: import("zod").ZodString;
                        mode: import("zod").ZodEnum<{
                            typed: "typed";
                            voice: "voice";
                        }>;
                        node: import("zod").ZodNullable<import("zod").ZodString>;
                        fitted: import("zod").ZodBoolean;
                        recordingId: import("zod").ZodNullable<import("zod").ZodUUID>;
                        assessment: import("zod").ZodNullable<import("zod").ZodObject<{
                            source: import("zod").ZodEnum<{
                                azure: "azure";
                                device: "device";
                            }>;
                            durationMs: import("zod").ZodNumber;
                            snrDb: import("zod").ZodNullable<import("zod").ZodNumber>;
                            accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                            fluency: import("zod").ZodNullable<import("zod").ZodNumber>;
                            prosody: import("zod").ZodNullable<import("zod").ZodNumber>;
                            completeness: import("zod").ZodNullable<import("zod").ZodNumber>;
                            pron: import("zod").ZodNullable<import("zod").ZodNumber>;
                            words: import("zod").ZodArray<import("zod").ZodObject<{
                                word: import("zod").ZodString;
                                startMs: import("zod").ZodNumber;
                                endMs: import("zod").ZodNumber;
                                accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                                error: import("zod").ZodEnum<{
                                    Insertion: "Insertion";
                                    Mispronunciation: "Mispronunciation";
                                    MissingBreak: "MissingBreak";
                                    Monotone: "Monotone";
                                    None: "None";
                                    Omission: "Omission";
                                    UnexpectedBreak: "UnexpectedBreak";
                                }>;
                                phonemes: import("zod").ZodArray<import("zod").ZodObject<{
                                    phoneme: import("zod").ZodString;
                                    startMs: import("zod").ZodNumber;
                                    endMs: import("zod").ZodNumber;
                                    accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                                    heardAs: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
                                        phoneme: import("zod").ZodString;
                                        likelihood: import("zod").ZodNumber;
                                    }, import("zod/v4/core").$strip>>>;
                                }, import("zod/v4/core").$strip>>;
                            }, import("zod/v4/core").$strip>>;
                            pitch: import("zod").ZodArray<import("zod").ZodObject<{
                                ms: import("zod").ZodNumber;
                                hz: import("zod").ZodNumber;
                            }, import("zod/v4/core").$strip>>;
                            pauses: import("zod").ZodArray<import("zod").ZodObject<{
                                startMs: import("zod").ZodNumber;
                                endMs: import("zod").ZodNumber;
                            }, import("zod/v4/core").$strip>>;
                            unusable: import("zod").ZodOptional<import("zod").ZodObject<{
                                reason: import("zod").ZodEnum<{
                                    clipped: "clipped";
                                    noisy: "noisy";
                                    not_the_text: "not_the_text";
                                    silent: "silent";
                                    too_short: "too_short";
                                }>;
                                hint: import("zod").ZodString;
                            }, import("zod/v4/core").$strip>>;
                        }, import("zod/v4/core").$strip>>;
                        hintLevel: import("zod").ZodNumber;
                    }, import("zod/v4/core").$strip>], "role">>;
                    objectives: import("zod").ZodArray<import("zod").ZodObject<{
                        objectiveId: import("zod").ZodUUID;
                        description: import("zod").ZodString;
                        provedBy: import("zod").ZodNullable<import("zod").ZodString>;
                    }, import("zod/v4/core").$strip>>;
                    waitingTurn: import("zod").ZodNullable<import("zod").ZodDiscriminatedUnion<[import("zod").ZodObject<{
                        status: import("zod").ZodLiteral<"heard">;
                        turnId: import("zod").ZodUUID;
                        recordingId: import("zod").ZodUUID;
                        text: import("zod").ZodString;
                        assessment: import("zod").ZodObject<{
                            source: import("zod").ZodEnum<{
                                azure: "azure";
                                device: "device";
                            }>;
                            durationMs: import("zod").ZodNumber;
                            snrDb: import("zod").ZodNullable<import("zod").ZodNumber>;
                            accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                            fluency: import("zod").ZodNullable<import("zod").ZodNumber>;
                            prosody: import("zod").ZodNullable<import("zod").ZodNumber>;
                            completeness: import("zod").ZodNullable<import("zod").ZodNumber>;
                            pron: import("zod").ZodNullable<import("zod").ZodNumber>;
                            words: import("zod").ZodArray<import("zod").ZodObject<{
                                word: import("zod").ZodString;
                                startMs: import("zod").ZodNumber;
                                endMs: import("zod").ZodNumber;
                                accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                                error: import("zod").ZodEnum<{
                                    Insertion: "Insertion";
                                    Mispronunciation: "Mispronunciation";
                                    MissingBreak: "MissingBreak";
                                    Monotone: "Monotone";
                                    None: "None";
                                    Omission: "Omission";
                                    UnexpectedBreak: "UnexpectedBreak";
                                }>;
                                phonemes: import("zod").ZodArray<import("zod").ZodObject<{
                                    phoneme: import("zod").ZodString;
                                    startMs: import("zod").ZodNumber;
                                    endMs: import("zod").ZodNumber;
                                    accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                                    heardAs: import("zod").ZodOptional<import("zod").ZodArray<import("zod").ZodObject<{
                                        phoneme: import("zod").ZodString;
                                        likelihood: import("zod").ZodNumber;
                                    }, import("zod/v4/core").$strip>>>;
                                }, import("zod/v4/core").$strip>>;
                            }, import("zod/v4/core").$strip>>;
                            pitch: import("zod").ZodArray<import("zod").ZodObject<{
                                ms: import("zod").ZodNumber;
                                hz: import("zod").ZodNumber;
                            }, import("zod/v4/core").$strip>>;
                            pauses: import("zod").ZodArray<import("zod").ZodObject<{
                                startMs: import("zod").ZodNumber;
                                endMs: import("zod").ZodNumber;
                            }, import("zod/v4/core").$strip>>;
                            unusable: import("zod").ZodOptional<import("zod").ZodObject<{
                                reason: import("zod").ZodEnum<{
                                    clipped: "clipped";
                                    noisy: "noisy";
                                    not_the_text: "not_the_text";
                                    silent: "silent";
                                    too_short: "too_short";
                                }>;
                                hint: import("zod").ZodString;
                            }, import("zod/v4/core").$strip>>;
                        }, import("zod/v4/core").$strip>;
                    }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                        status: import("zod").ZodLiteral<"not_recognised">;
                        turnId: import("zod").ZodUUID;
                        recordingId: import("zod").ZodUUID;
                        candidates: import("zod").ZodArray<import("zod").ZodString>;
                    }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                        status: import("zod").ZodLiteral<"unusable">;
                        turnId: import("zod").ZodUUID;
                        recordingId: import("zod").ZodUUID;
                        reason: import("zod").ZodEnum<{
                            clipped: "clipped";
                            noisy: "noisy";
                            not_the_text: "not_the_text";
                            silent: "silent";
                            too_short: "too_short";
                        }>;
                        hint: import("zod").ZodString;
                    }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                        status: import("zod").ZodLiteral<"not_scored">;
                        turnId: import("zod").ZodUUID;
                        recordingId: import("zod").ZodUUID;
                        candidates: import("zod").ZodArray<import("zod").ZodString>;
                    }, import("zod/v4/core").$strip>], "status">>;
                    startedAt: import("zod").ZodDate;
                    durationS: import("zod").ZodNumber;
                }, import("zod/v4/core").$strip>;
                status: import("zod").ZodEnum<{
                    completed: "completed";
                    failed_to_generate_score: "failed_to_generate_score";
                    in_progress: "in_progress";
                }>;
                overall: import("zod").ZodNullable<import("zod").ZodNumber>;
                dimensions: import("zod").ZodObject<{
                    accuracy: import("zod").ZodNullable<import("zod").ZodNumber>;
                    fluency: import("zod").ZodNullable<import("zod").ZodNumber>;
                    prosody: import("zod").ZodNullable<import("zod").ZodNumber>;
                    completeness: import("zod").ZodNullable<import("zod").ZodNumber>;
                    pron: import("zod").ZodNullable<import("zod").ZodNumber>;
                    words: import("zod").ZodNullable<import("zod").ZodNumber>;
                }, import("zod/v4/core").$strip>;
                feedback: import("zod").ZodNullable<import("zod").ZodObject<{
                    best: import("zod").ZodString;
                    fix: import("zod").ZodString;
                    nextStep: import("zod").ZodString;
                    wordsToTrain: import("zod").ZodArray<import("zod").ZodObject<{
                        word: import("zod").ZodString;
                        ipa: import("zod").ZodString;
                        accuracy: import("zod").ZodNumber;
                        worstPhonemes: import("zod").ZodArray<import("zod").ZodString>;
                    }, import("zod/v4/core").$strip>>;
                }, import("zod/v4/core").$strip>>;
                summary: import("zod").ZodNullable<import("zod").ZodString>;
                endedAt: import("zod").ZodDate;
            }, import("zod/v4/core").$strip>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
        };
        history: {
            list: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodObject<{
                search: import("zod").ZodString;
                offset: import("zod").ZodNumber;
                limit: import("zod").ZodNumber;
            }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                items: import("zod").ZodArray<import("zod").ZodObject<{
                    sessionId: import("zod").ZodUUID;
                    practiceId: import("zod").ZodUUID;
                    title: import("zod").ZodString;
                    category: import("zod").ZodString;
                    coachName: import("zod").ZodString;
                    coachAvatarUrl: import("zod").ZodString;
                    startedAt: import("zod").ZodDate;
                    durationS: import("zod").ZodNumber;
                    status: import("zod").ZodEnum<{
                        completed: "completed";
                        failed_to_generate_score: "failed_to_generate_score";
                        in_progress: "in_progress";
                    }>;
                    communicationStyle: import("zod").ZodEnum<{
                        audio: "audio";
                        text: "text";
                    }>;
                    overall: import("zod").ZodNullable<import("zod").ZodNumber>;
                    excerpt: import("zod").ZodNullable<import("zod").ZodString>;
                }, import("zod/v4/core").$strip>>;
                total: import("zod").ZodNumber;
            }, import("zod/v4/core").$strip>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
        };
        today: {
            overview: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodVoid, import("zod").ZodObject<{
                unfinished: import("zod").ZodNullable<import("zod").ZodObject<{
                    sessionId: import("zod").ZodUUID;
                    practiceId: import("zod").ZodUUID;
                    title: import("zod").ZodString;
                    category: import("zod").ZodString;
                    coachName: import("zod").ZodString;
                    coachAvatarUrl: import("zod").ZodString;
                    startedAt: import("zod").ZodDate;
                    durationS: import("zod").ZodNumber;
                    status: import("zod").ZodEnum<{
                        completed: "completed";
                        failed_to_generate_score: "failed_to_generate_score";
                        in_progress: "in_progress";
                    }>;
                    communicationStyle: import("zod").ZodEnum<{
                        audio: "audio";
                        text: "text";
                    }>;
                    overall: import("zod").ZodNullable<import("zod").ZodNumber>;
                    excerpt: import("zod").ZodNullable<import("zod").ZodString>;
                }, import("zod/v4/core").$strip>>;
                suggested: import("zod").ZodNullable<import("zod").ZodObject<{
                    practiceId: import("zod").ZodUUID;
                    reason: import("zod").ZodString;
                }, import("zod/v4/core").$strip>>;
                wordsToTrain: import("zod").ZodArray<import("zod").ZodObject<{
                    word: import("zod").ZodString;
                    ipa: import("zod").ZodString;
                    accuracy: import("zod").ZodNumber;
                    worstPhonemes: import("zod").ZodArray<import("zod").ZodString>;
                }, import("zod/v4/core").$strip>>;
                minutesThisWeek: import("zod").ZodNumber;
                streakDays: import("zod").ZodNumber;
            }, import("zod/v4/core").$strip>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
        };
        recordings: {
            read: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodObject<{
                recordingId: import("zod").ZodUUID;
            }, import("zod/v4/core").$strip>, import("zod").ZodInstanceOf<Blob>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
        };
        voice: {
            speak: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodObject<{
                text: import("zod").ZodString;
                voice: import("zod").ZodObject<{
                    gender: import("zod").ZodEnum<{
                        female: "female";
                        male: "male";
                    }>;
                    locale: import("zod").ZodString;
                    rate: import("zod").ZodNumber;
                    pitch: import("zod").ZodNumber;
                }, import("zod/v4/core").$strip>;
                rate: import("zod").ZodNumber;
            }, import("zod/v4/core").$strip>, import("zod").ZodInstanceOf<Blob>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
        };
        microphone: {
            check: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodObject<{
                pcm: import("zod").ZodInstanceOf<Blob>;
            }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                verdict: import("zod").ZodEnum<{
                    clipped: "clipped";
                    good: "good";
                    noisy: "noisy";
                    silent: "silent";
                    too_quiet: "too_quiet";
                }>;
                hint: import("zod").ZodString;
                levelDb: import("zod").ZodNullable<import("zod").ZodNumber>;
                snrDb: import("zod").ZodNullable<import("zod").ZodNumber>;
            }, import("zod/v4/core").$strip>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
        };
        settings: {
            read: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodVoid, import("zod").ZodObject<{
                device: import("zod").ZodObject<{
                    theme: import("zod").ZodEnum<{
                        dark: "dark";
                        light: "light";
                        system: "system";
                    }>;
                    microphoneId: import("zod").ZodNullable<import("zod").ZodString>;
                    microphoneChecked: import("zod").ZodBoolean;
                    captions: import("zod").ZodBoolean;
                    coachSpeed: import("zod").ZodNumber;
                    patienceMs: import("zod").ZodNullable<import("zod").ZodUnion<readonly [import("zod").ZodLiteral<1000>, import("zod").ZodLiteral<2000>, import("zod").ZodLiteral<3000>]>>;
                }, import("zod/v4/core").$strip>;
                profile: import("zod").ZodObject<{
                    firstName: import("zod").ZodNullable<import("zod").ZodString>;
                    lastName: import("zod").ZodNullable<import("zod").ZodString>;
                    jobTitle: import("zod").ZodNullable<import("zod").ZodString>;
                    industry: import("zod").ZodNullable<import("zod").ZodUUID>;
                    agentId: import("zod").ZodNullable<import("zod").ZodUUID>;
                    englishLevel: import("zod").ZodNullable<import("zod").ZodEnum<{
                        advanced: "advanced";
                        beginner: "beginner";
                        intermediate: "intermediate";
                    }>>;
                    practiceDifficulty: import("zod").ZodNullable<import("zod").ZodEnum<{
                        easy: "easy";
                        hard: "hard";
                        intermediate: "intermediate";
                    }>>;
                    practiceStyle: import("zod").ZodNullable<import("zod").ZodEnum<{
                        turn_based: "turn_based";
                        ultra_realistic: "ultra_realistic";
                    }>>;
                    emailNotifications: import("zod").ZodBoolean;
                }, import("zod/v4/core").$strip>;
            }, import("zod/v4/core").$strip>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            updateDevice: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodObject<{
                theme: import("zod").ZodOptional<import("zod").ZodEnum<{
                    dark: "dark";
                    light: "light";
                    system: "system";
                }>>;
                microphoneId: import("zod").ZodOptional<import("zod").ZodNullable<import("zod").ZodString>>;
                microphoneChecked: import("zod").ZodOptional<import("zod").ZodBoolean>;
                captions: import("zod").ZodOptional<import("zod").ZodBoolean>;
                coachSpeed: import("zod").ZodOptional<import("zod").ZodNumber>;
                patienceMs: import("zod").ZodOptional<import("zod").ZodNullable<import("zod").ZodUnion<readonly [import("zod").ZodLiteral<1000>, import("zod").ZodLiteral<2000>, import("zod").ZodLiteral<3000>]>>>;
            }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                theme: import("zod").ZodEnum<{
                    dark: "dark";
                    light: "light";
                    system: "system";
                }>;
                microphoneId: import("zod").ZodNullable<import("zod").ZodString>;
                microphoneChecked: import("zod").ZodBoolean;
                captions: import("zod").ZodBoolean;
                coachSpeed: import("zod").ZodNumber;
                patienceMs: import("zod").ZodNullable<import("zod").ZodUnion<readonly [import("zod").ZodLiteral<1000>, import("zod").ZodLiteral<2000>, import("zod").ZodLiteral<3000>]>>;
            }, import("zod/v4/core").$strip>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            updateProfile: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodObject<{
                firstName: import("zod").ZodOptional<import("zod").ZodNullable<import("zod").ZodString>>;
                lastName: import("zod").ZodOptional<import("zod").ZodNullable<import("zod").ZodString>>;
                jobTitle: import("zod").ZodOptional<import("zod").ZodNullable<import("zod").ZodString>>;
                industry: import("zod").ZodOptional<import("zod").ZodNullable<import("zod").ZodUUID>>;
                agentId: import("zod").ZodOptional<import("zod").ZodNullable<import("zod").ZodUUID>>;
                englishLevel: import("zod").ZodOptional<import("zod").ZodNullable<import("zod").ZodEnum<{
                    advanced: "advanced";
                    beginner: "beginner";
                    intermediate: "intermediate";
                }>>>;
                practiceDifficulty: import("zod").ZodOptional<import("zod").ZodNullable<import("zod").ZodEnum<{
                    easy: "easy";
                    hard: "hard";
                    intermediate: "intermediate";
                }>>>;
                practiceStyle: import("zod").ZodOptional<import("zod").ZodNullable<import("zod").ZodEnum<{
                    turn_based: "turn_based";
                    ultra_realistic: "ultra_realistic";
                }>>>;
                emailNotifications: import("zod").ZodOptional<import("zod").ZodBoolean>;
            }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                firstName: import("zod").ZodNullable<import("zod").ZodString>;
                lastName: import("zod").ZodNullable<import("zod").ZodString>;
                jobTitle: import("zod").ZodNullable<import("zod").ZodString>;
                industry: import("zod").ZodNullable<import("zod").ZodUUID>;
                agentId: import("zod").ZodNullable<import("zod").ZodUUID>;
                englishLevel: import("zod").ZodNullable<import("zod").ZodEnum<{
                    advanced: "advanced";
                    beginner: "beginner";
                    intermediate: "intermediate";
                }>>;
                practiceDifficulty: import("zod").ZodNullable<import("zod").ZodEnum<{
                    easy: "easy";
                    hard: "hard";
                    intermediate: "intermediate";
                }>>;
                practiceStyle: import("zod").ZodNullable<import("zod").ZodEnum<{
                    turn_based: "turn_based";
                    ultra_realistic: "ultra_realistic";
                }>>;
                emailNotifications: import("zod").ZodBoolean;
            }, import("zod/v4/core").$strip>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
        };
        sync: {
            status: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodVoid, import("zod").ZodObject<{
                state: import("zod").ZodEnum<{
                    backing_off: "backing_off";
                    idle: "idle";
                    offline: "offline";
                    outdated: "outdated";
                    pulling: "pulling";
                    pushing: "pushing";
                    signed_out: "signed_out";
                }>;
                waiting: import("zod").ZodNumber;
                rejected: import("zod").ZodNumber;
                lastSyncedAt: import("zod").ZodNullable<import("zod").ZodDate>;
            }, import("zod/v4/core").$strip>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            run: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodVoid, import("zod").ZodObject<{
                state: import("zod").ZodEnum<{
                    backing_off: "backing_off";
                    idle: "idle";
                    offline: "offline";
                    outdated: "outdated";
                    pulling: "pulling";
                    pushing: "pushing";
                    signed_out: "signed_out";
                }>;
                waiting: import("zod").ZodNumber;
                rejected: import("zod").ZodNumber;
                lastSyncedAt: import("zod").ZodNullable<import("zod").ZodDate>;
            }, import("zod/v4/core").$strip>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            rejected: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodVoid, import("zod").ZodArray<import("zod").ZodObject<{
                id: import("zod").ZodUUID;
                table: import("zod").ZodString;
                code: import("zod").ZodEnum<{
                    account_field: "account_field";
                    conflict: "conflict";
                    invalid_value: "invalid_value";
                    missing_reference: "missing_reference";
                    not_yours: "not_yours";
                    read_only: "read_only";
                    unknown_field: "unknown_field";
                    unknown_table: "unknown_table";
                }>;
                field: import("zod").ZodNullable<import("zod").ZodString>;
                content: import("zod").ZodString;
                at: import("zod").ZodDate;
            }, import("zod/v4/core").$strip>>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            dismissRejected: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodObject<{
                id: import("zod").ZodUUID;
            }, import("zod/v4/core").$strip>, import("zod").ZodVoid, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
        };
        account: {
            createLinkCode: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodVoid, import("zod").ZodObject<{
                code: import("zod").ZodString;
                expiresAt: import("zod").ZodDate;
            }, import("zod/v4/core").$strip>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            join: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodObject<{
                code: import("zod").ZodString;
            }, import("zod/v4/core").$strip>, import("zod").ZodObject<{
                state: import("zod").ZodEnum<{
                    backing_off: "backing_off";
                    idle: "idle";
                    offline: "offline";
                    outdated: "outdated";
                    pulling: "pulling";
                    pushing: "pushing";
                    signed_out: "signed_out";
                }>;
                waiting: import("zod").ZodNumber;
                rejected: import("zod").ZodNumber;
                lastSyncedAt: import("zod").ZodNullable<import("zod").ZodDate>;
            }, import("zod/v4/core").$strip>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
        };
        app: {
            about: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodVoid, import("zod").ZodObject<{
                version: import("zod").ZodString;
                dataFolder: import("zod").ZodString;
                serverAddress: import("zod").ZodNullable<import("zod").ZodString>;
                scorer: import("zod").ZodString;
                restoredFrom: import("zod").ZodNullable<import("zod").ZodDate>;
            }, import("zod/v4/core").$strip>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
            events: import("@orpc/server").ProcedureClient<import("@orpc/server").ClientContext, import("zod").ZodVoid, import("@orpc/server").Schema<AsyncIteratorObject<{
                type: "data_changed";
                tables: string[];
            } | {
                type: "sync_status";
                status: {
                    state: "backing_off" | "idle" | "offline" | "outdated" | "pulling" | "pushing" | "signed_out";
                    waiting: number;
                    rejected: number;
                    lastSyncedAt: Date | null;
                };
            }, unknown, void>, import("@orpc/shared").AsyncIteratorClass<{
                type: "data_changed";
                tables: string[];
            } | {
                type: "sync_status";
                status: {
                    state: "backing_off" | "idle" | "offline" | "outdated" | "pulling" | "pushing" | "signed_out";
                    waiting: number;
                    rejected: number;
                    lastSyncedAt: Date | null;
                };
            }, unknown, void>>, import("@orpc/server").MergedErrorMap<Record<never, never>, import("@orpc/server").MergedErrorMap<Record<never, never>, {
                "audio.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "audio.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.device_revoked": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.forbidden": {
                    status: 403;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "auth.required": {
                    status: 401;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                internal: {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.already_joined": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "link.code_invalid": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.no_dialogue": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "practice.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.file_missing": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "recording.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.invalid": {
                    status: 400;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_large": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "request.too_many": {
                    status: 429;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "scoring.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.already_completed": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.ended": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "session.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.damaged": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "storage.full": {
                    status: 507;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.gap": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.offline": {
                    status: 503;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_new": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.protocol_too_old": {
                    status: 426;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "sync.resync": {
                    status: 410;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_found": {
                    status: 404;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.not_ready": {
                    status: 409;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "turn.too_long": {
                    status: 413;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
                "voice.failed": {
                    status: 500;
                    data: import("zod").ZodOptional<typeof import("@parley/contract").ErrorData>;
                };
            }>>>;
        };
    };
}>;
export type OpenHost = Awaited<ReturnType<typeof openHost>>;
/** What a scorer says of a text in which every word was heard with this accuracy. */
export declare function anAssessment(text: string, accuracyOf?: (word: string) => number): Assessment;
/** At the scorer's port: hears the first reply, or what the test says, or fails. */
export declare function aScriptedScorer(script?: {
    best?: () => number | null;
    assess?: (text: string) => Assessment;
}): SpeechScorer & {
    assessed: string[];
};
/** A voice-like sound: a tone that comes and goes, 16-bit PCM at 16 kHz. */
export declare function somethingSaid(ms: number): Uint8Array;
export declare const silence: (ms: number) => Uint8Array;
/** Records a turn as the renderer does, in chunks of 200 ms. */
export declare function sayTurn(ask: OpenHost['ask'], sessionId: string, pcm?: Uint8Array): Promise<{
    turnId: string;
    recordingId: string;
}>;
