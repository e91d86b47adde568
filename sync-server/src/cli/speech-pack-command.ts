/** `parley-server speech-pack`: writes the manifest from which learners download a transcription model. */
import { describePack, type PackDescription, packBytes, packHash } from '@parley/speech-pack';
import { CommandFailure, type Output, pluralize } from './command.ts';

export type SpeechPackFlags = Pick<PackDescription, 'name' | 'licence' | 'precision'> & { source?: string };

const MEGABYTE = 1_000_000;

export async function describeSpeechPack(folder: string, flags: SpeechPackFlags, output: Output): Promise<void> {
  const described = await describePack(folder, { ...flags, source: flags.source ?? null });
  if (!described.ok) throw new CommandFailure(`${folder}: ${described.problem}`);
  const { manifest } = described;
  output.print(
    `${manifest.name}: ${pluralize(manifest.files.length, 'file')}, ${(packBytes(manifest) / MEGABYTE).toFixed(1)} MB, ${packHash(manifest)}`,
  );
}
