/** Calls `read` once for each text. */
export function remember<Value>(read: (text: string) => Value): (text: string) => Value {
  const valueByText = new Map<string, Value>();
  return (text) => {
    const known = valueByText.get(text);
    if (known !== undefined) return known;
    const value = read(text);
    valueByText.set(text, value);
    return value;
  };
}
