/** How many streams of this process may hold a page that nobody has asked for yet. */

export interface ReadAhead {
  /** False when enough streams read ahead already. */
  begin: () => boolean;
  end: () => void;
}

const MOST_AT_ONCE = 16;

export function createReadAhead(most: number = MOST_AT_ONCE): ReadAhead {
  let reading = 0;
  return {
    begin: () => {
      if (reading >= most) return false;
      reading += 1;
      return true;
    },
    end: () => {
      reading -= 1;
    },
  };
}
