// The parts that pages are made of.

export {
    Button,
    ButtonLink,
    CopyButton,
    copyText,
    IconButton,
} from "./button.tsx";
export { Dialog } from "./dialog.tsx";
export {
    Checkbox,
    type Choice,
    Field,
    FieldError,
    focusFirstError,
    SelectField,
    TextArea,
    TextField,
} from "./field.tsx";
export { Icon, type IconName } from "./icons.tsx";
export { Menu, type MenuItem } from "./menu.tsx";
export {
    Badge,
    Empty,
    ErrorNote,
    Late,
    Money,
    Note,
    PageHead,
    Skeleton,
    Time,
} from "./say.tsx";
export { adoptSheet } from "./sheet.ts";
export { type Column, Table } from "./table.tsx";
export { type Tab, Tabs } from "./tabs.tsx";
export { toast } from "./toast.tsx";
