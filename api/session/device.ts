/** Browsers by a mark in their User-Agent; the first that matches is right, since later ones imitate earlier ones. */
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

/** What people call the device of a User-Agent, such as "Chrome, Android"; empty if it says nothing known. */
export function deviceOf(userAgent: string): string {
  const found = [BROWSERS, SYSTEMS].map((names) => names.find(([mark]) => mark.test(userAgent))?.[1]);
  return found.filter((name) => name !== undefined).join(", ");
}
