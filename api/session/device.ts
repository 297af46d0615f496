/** Browsers by a mark in their User-Agent. The first match is right, since browsers imitate those that follow in this list. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(?:e|A|iOS)?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

/** Returns a familiar name for the device of a User-Agent, such as "Chrome, Android"; empty if nothing in it is known. */
export function deviceOf(userAgent: string): string {
  const found = [BROWSERS, SYSTEMS].map((names) => names.find(([mark]) => mark.test(userAgent))?.[1]);
  return found.filter((name) => name !== undefined).join(", ");
}
