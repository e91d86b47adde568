/** Reads the first character of each line, as the browser has wrapped them. */
import type { Locator } from 'playwright';

export function readLineStarts(texts: Locator): Promise<string[]> {
  return texts.evaluateAll((elements) =>
    elements.flatMap((element) => {
      const starts: string[] = [];
      let lineTop = -Infinity;
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
        for (const [index, character] of [...(node.textContent ?? '')].entries()) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + 1);
          const { top, height } = range.getBoundingClientRect();
          if (height === 0 || top < lineTop + height / 2) continue;
          lineTop = top;
          starts.push(character);
        }
      return starts;
    }),
  );
}
