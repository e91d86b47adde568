/** Azure Speech behind the server's ports: pronunciation assessment, speech to text and synthesis. */
export type { AzureSpeechAccess, AzureTimeouts } from './connection/speech-config.ts';
export { createAzureAssessor } from './assessment/assessor.ts';
export { createAzureSynthesiser } from './synthesis/synthesiser.ts';
export { createAzureTranscriber } from './recognition/transcriber.ts';
