/** Azure Speech: pronunciation assessment, speech to text and voices behind the server's ports. Its local twin is in `twin/`. */
export type { AzureSpeechAccess, AzureTimeouts } from './access.ts';
export { createAzureAssessor } from './assessor.ts';
export { createAzureSynthesiser } from './synthesiser.ts';
export { createAzureTranscriber } from './transcriber.ts';
