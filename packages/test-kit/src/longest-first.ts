import { BaseSequencer, type TestSpecification, type TestSequencerConstructor } from 'vitest/node';

/**
 * Starts the files that match these patterns first, in this order, because a long file that starts last leaves one core
 * idle at the end.
 */
export const longestFirst = (patterns: readonly RegExp[]): TestSequencerConstructor =>
  class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const rank = ({ moduleId }: TestSpecification): number => {
        const index = patterns.findIndex((pattern) => pattern.test(moduleId));
        return index === -1 ? patterns.length : index;
      };
      return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
    }
  };
