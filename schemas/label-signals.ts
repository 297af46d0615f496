import { type Static, Type } from "typebox";
import { known } from "./text.ts";

const date = Type.Unsafe<Date>({});
const Button = Type.Integer({ minimum: 1, maximum: 16, description: "Number of the button on the label, from 1" });

/** A press of a button, as a label server reports it. Every report of one press has the same time. */
export const Press = Type.Object({
  button: Button,
  at: Type.String({ format: "instant", description: "When it was pressed, by the label server's clock" }),
});

/** Sensors of labels: the bounds of each value, and the smallest change that is announced. */
export const sensors = {
  temperature: { minimum: -100, maximum: 150, announcedChange: 2 },
} as const;
export const sensorNames = Object.keys(sensors) as readonly (keyof typeof sensors)[];

const { minimum, maximum } = sensors.temperature;
const Temperature = Type.Number({ minimum, maximum, description: "Temperature at the label in °C", examples: [21.5] });

/** Values that a label measured. Values of sensors that are not listed are ignored. */
export const Sensors = Type.Object({ temperature: Type.Optional(Temperature) });
export type Sensors = Static<typeof Sensors>;

/** The last press of one of a label's buttons, by the label server's clock. */
export const LastPress = Type.Object({ button: Button, at: date });
export type LastPress = Static<typeof LastPress>;

/** The last value of each sensor, by the label server's clock. */
export const Measured = Type.Object({ temperature: Type.Optional(Type.Object({ value: Type.Number(), at: date })) });
export type Measured = Static<typeof Measured>;

/** labelpress.v1: the last press of a label, as it was announced. */
export const LabelPress = Type.Object({ button: Button, pressedAt: date });
export type LabelPress = Static<typeof LabelPress>;

const time = Type.String({ description: "By the label server's clock", examples: ["2026-03-02 08:15:30"] });

/** The last press in a response; null if none was reported. */
export const LastPressAnswer = known(
  Type.Object({ button: Button, time }, { description: "The last press of a button; null if none was reported" }),
);
/** The sensors' last values, in the form in which they appear in a response. */
export const SensorsAnswer = Type.Object(
  { temperature: Type.Optional(Type.Object({ value: Temperature, time })) },
  { description: "The last value of each sensor that has reported one" },
);
