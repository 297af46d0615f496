import { shareOf } from "../../../domain/labels/spread.ts";
import type { Battery, LabelConditions, Temperature, Transceivers } from "./scenario.ts";

const HOUR_MS = 3_600_000;
const SECOND_MS = 1_000;
const DAY_HOURS = 24;
/** At this temperature and above, in °C, a refresh takes the least energy. */
const MILD = 20;

/** Returns the temperature at a given time, to a tenth of a degree: lowest at the start, highest half a period later. */
export function temperatureAt(ms: number, { lowest, highest, hours = DAY_HOURS }: Temperature): number {
  const turn = (2 * Math.PI * ms) / (hours * HOUR_MS);
  const degrees = lowest + ((highest - lowest) * (1 - Math.cos(turn))) / 2;
  return Math.round(10 * degrees) / 10;
}

/** Returns how many millivolts a refresh drains from a battery at a temperature, which is null if it is not measured. */
export const drainAt = (temperature: number | null, { millivoltsPerRefresh, morePerDegree = 0 }: Battery): number =>
  millivoltsPerRefresh * (1 + morePerDegree * Math.max(0, MILD - (temperature ?? MILD)));

/** Returns how long a label sleeps after a given time. Labels from one box do not wake together. */
export function untilAwake(barcode: string, ms: number, sleepSeconds: number): number {
  const period = sleepSeconds * SECOND_MS;
  return period - ((ms + shareOf(barcode) * period) % period);
}

/** Returns the transceiver that hears a label at a given time. */
export function transceiverAt(barcode: string, ms: number, { ids, roamSeconds }: Transceivers): string {
  const place = Math.floor(ms / (roamSeconds * SECOND_MS) + shareOf(barcode));
  return ids[Math.floor(shareOf(`${barcode} ${place}`) * ids.length)] as string;
}

/** Returns the version of a label's firmware. Undefined if the labels have none. */
export const firmwareOf = (barcode: string, { firmware }: Pick<LabelConditions, "firmware">): string | undefined =>
  firmware?.[Math.floor(shareOf(`${barcode} firmware`) * firmware.length)];

/** Whether a label never wakes. */
export const isDead = (barcode: string, { dead = 0 }: Pick<LabelConditions, "dead">): boolean =>
  shareOf(`${barcode} dead`) < dead;
