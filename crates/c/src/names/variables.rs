//! The program's variables, by the debugging information: which one an address is in, and which part of it.

use gimli::{
    AttributeValue, DebuggingInformationEntry, Dwarf, EndianRcSlice, LittleEndian, Operation, Reader as _, Unit,
    UnitOffset,
};
use object::{Object, ObjectSection};
use std::path::Path;
use std::rc::Rc;

pub(super) type Reader = EndianRcSlice<LittleEndian>;
pub(super) type Entry<'a> = DebuggingInformationEntry<'a, 'a, Reader>;

/// How deep types are followed.
const MOST_LEVELS: u32 = 32;

/// All global and static variables of a program.
pub(crate) struct Variables {
    dwarf: Dwarf<Reader>,
    units: Vec<Unit<Reader>>,
    variables: Vec<Variable>,
}

struct Variable {
    start: u64,
    size: u64,
    name: String,
    of: Type,
}

/// A type: its unit, and where it is described there.
#[derive(Clone, Copy)]
struct Type {
    unit: usize,
    at: UnitOffset,
}

/// How the numbers in a variable are to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    Signed,
    Unsigned,
    Pointer,
}

/// A part of a variable.
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) shape: Shape,
}

impl Variables {
    /// Reads the debugging information of a file; `None` if there is none that can be understood.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        let bytes = std::fs::read(path).ok()?;
        let file = object::File::parse(&*bytes).ok()?;
        let section = |id: gimli::SectionId| -> Result<Reader, gimli::Error> {
            let data = file.section_by_name(id.name()).and_then(|section| section.uncompressed_data().ok());
            Ok(EndianRcSlice::new(Rc::from(data.unwrap_or_default().into_owned()), LittleEndian))
        };
        let dwarf = Dwarf::load(section).ok()?;
        let mut variables = Variables { dwarf, units: Vec::new(), variables: Vec::new() };
        let mut headers = variables.dwarf.units();
        while let Ok(Some(header)) = headers.next() {
            let unit = variables.dwarf.unit(header).ok()?;
            variables.units.push(unit);
        }
        for unit in 0..variables.units.len() {
            variables.collect(unit);
        }
        Some(variables)
    }

    /// The part of a variable that is at an address of the file.
    pub(crate) fn find(&self, address: u64) -> Option<Part> {
        let of = |variable: &&Variable| address.wrapping_sub(variable.start) < variable.size;
        let variable = self.variables.iter().find(of)?;
        let mut part = Part { name: variable.name.clone(), shape: Shape::Signed };
        self.descend(&mut part, variable.of, address - variable.start, 0);
        Some(part)
    }

    pub(super) fn units(&self) -> &[Unit<Reader>] {
        &self.units
    }

    pub(super) fn dwarf(&self) -> &Dwarf<Reader> {
        &self.dwarf
    }

    /// What of a variable on a stack is at this distance from its start, if it is so large.
    pub(super) fn part_of_local(&self, unit: usize, entry: &Entry<'_>, offset: u64) -> Option<Part> {
        let origin = self.origin(unit, entry);
        let of = type_of(entry).or_else(|| type_of(origin.as_ref()?)).map(|at| Type { unit, at })?;
        if offset >= self.size(of, 0)? {
            return None;
        }
        let mut part = Part { name: self.name_or_origin(unit, entry)?, shape: Shape::Signed };
        self.descend(&mut part, of, offset, 0);
        Some(part)
    }

    /// What an entry is an instance of, such as the variable of an inlined function.
    fn origin<'a>(&'a self, unit: usize, entry: &Entry<'_>) -> Option<Entry<'a>> {
        let refers = |attribute| entry.attr_value(attribute).ok().flatten();
        match refers(gimli::DW_AT_abstract_origin).or_else(|| refers(gimli::DW_AT_specification))? {
            AttributeValue::UnitRef(at) => self.units[unit].entry(at).ok(),
            _ => None,
        }
    }

    /// The name of an entry, or of what it is an instance of.
    pub(super) fn name_or_origin(&self, unit: usize, entry: &Entry<'_>) -> Option<String> {
        self.name(unit, entry).or_else(|| {
            let origin = self.origin(unit, entry)?;
            self.name(unit, &origin).or_else(|| self.name(unit, &self.origin(unit, &origin)?))
        })
    }

    fn collect(&mut self, unit: usize) {
        let mut found = Vec::new();
        let mut entries = self.units[unit].entries();
        while let Ok(Some((_, entry))) = entries.next_dfs() {
            if entry.tag() == gimli::DW_TAG_variable
                && let Some(variable) = self.variable(unit, entry)
            {
                found.push(variable);
            }
        }
        self.variables.extend(found);
    }

    fn variable(&self, unit: usize, entry: &Entry<'_>) -> Option<Variable> {
        let start = self.address(unit, entry)?;
        let declared = match entry.attr_value(gimli::DW_AT_specification).ok()? {
            Some(AttributeValue::UnitRef(at)) => Some(self.units[unit].entry(at).ok()?),
            _ => None,
        };
        let declared = declared.as_ref().unwrap_or(entry);
        let of = Type { unit, at: type_of(declared).or_else(|| type_of(entry))? };
        let name = self.name(unit, declared).or_else(|| self.name(unit, entry))?;
        Some(Variable { start, size: self.size(of, 0)?, name, of })
    }

    /// Where a variable is, if it is always there.
    fn address(&self, unit: usize, entry: &Entry<'_>) -> Option<u64> {
        let AttributeValue::Exprloc(expression) = entry.attr_value(gimli::DW_AT_location).ok()?? else { return None };
        let mut operations = expression.operations(self.units[unit].encoding());
        let address = match operations.next().ok()?? {
            Operation::Address { address } => address,
            Operation::AddressIndex { index } => self.dwarf.address(&self.units[unit], index).ok()?,
            _ => return None,
        };
        operations.next().ok()?.is_none().then_some(address)
    }

    fn name(&self, unit: usize, entry: &Entry<'_>) -> Option<String> {
        let value = entry.attr_value(gimli::DW_AT_name).ok()??;
        let text = self.dwarf.attr_string(&self.units[unit], value).ok()?;
        Some(text.to_string_lossy().ok()?.into_owned())
    }

    /// How many bytes a value of a type has.
    fn size(&self, of: Type, level: u32) -> Option<u64> {
        let entry = self.units[of.unit].entry(of.at).ok()?;
        if let Some(size) = number(&entry, gimli::DW_AT_byte_size) {
            return Some(size);
        }
        let inner = Type { at: type_of(&entry)?, ..of };
        if level >= MOST_LEVELS {
            return None;
        }
        let one = self.size(inner, level + 1)?;
        match entry.tag() {
            gimli::DW_TAG_array_type => Some(one * self.counts(of).iter().product::<u64>()),
            _ => Some(one),
        }
    }

    /// How many elements an array has, for each of its dimensions.
    fn counts(&self, array: Type) -> Vec<u64> {
        let mut counts = Vec::new();
        self.children(array, |child| {
            if child.tag() == gimli::DW_TAG_subrange_type {
                let bound = number(child, gimli::DW_AT_upper_bound).map(|bound| bound.wrapping_add(1));
                counts.push(number(child, gimli::DW_AT_count).or(bound).unwrap_or(0));
            }
        });
        counts
    }

    fn children(&self, of: Type, mut each: impl FnMut(&Entry<'_>)) {
        let unit = &self.units[of.unit];
        let Ok(mut tree) = unit.entries_tree(Some(of.at)) else { return };
        let Ok(root) = tree.root() else { return };
        let mut children = root.children();
        while let Ok(Some(child)) = children.next() {
            each(child.entry());
        }
    }

    /// Adds to the name what part of a value of this type is at `offset`.
    fn descend(&self, part: &mut Part, of: Type, offset: u64, level: u32) {
        let Ok(entry) = self.units[of.unit].entry(of.at) else { return };
        if level >= MOST_LEVELS {
            return;
        }
        match entry.tag() {
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type => {
                self.descend_into_member(part, of, offset, level);
            }
            gimli::DW_TAG_array_type => self.descend_into_element(part, of, offset, level),
            gimli::DW_TAG_pointer_type | gimli::DW_TAG_reference_type => part.shape = Shape::Pointer,
            gimli::DW_TAG_base_type => {
                part.shape = shape(&entry);
                if offset > 0 {
                    part.name += &format!("+{offset}");
                }
            }
            _ => {
                if let Some(at) = type_of(&entry) {
                    self.descend(part, Type { at, ..of }, offset, level + 1);
                }
            }
        }
    }

    fn descend_into_member(&self, part: &mut Part, of: Type, offset: u64, level: u32) {
        let mut found = None;
        self.children(of, |child| {
            let is_base = child.tag() == gimli::DW_TAG_inheritance;
            let is_static = matches!(child.attr_value(gimli::DW_AT_declaration), Ok(Some(_)));
            if found.is_some() || is_static || !(is_base || child.tag() == gimli::DW_TAG_member) {
                return;
            }
            let start = number(child, gimli::DW_AT_data_member_location).unwrap_or(0);
            let Some(at) = type_of(child) else { return };
            let inner = Type { at, ..of };
            if self.size(inner, 0).is_some_and(|size| offset.wrapping_sub(start) < size.max(1)) {
                let name = if is_base { None } else { self.name(of.unit, child) };
                found = Some((name, inner, offset - start));
            }
        });
        if let Some((name, inner, offset)) = found {
            if let Some(name) = name {
                part.name += &format!(".{name}");
            }
            self.descend(part, inner, offset, level + 1);
        }
    }

    fn descend_into_element(&self, part: &mut Part, of: Type, offset: u64, level: u32) {
        let Some(at) = self.units[of.unit].entry(of.at).ok().as_ref().and_then(type_of) else { return };
        let inner = Type { at, ..of };
        let Some(one) = self.size(inner, 0).filter(|&one| one > 0) else { return };
        let counts = self.counts(of);
        let mut place = offset / one;
        for (i, _) in counts.iter().enumerate() {
            let stride: u64 = counts[i + 1..].iter().product::<u64>().max(1);
            part.name += &format!("[{}]", place / stride);
            place %= stride;
        }
        self.descend(part, inner, offset % one, level + 1);
    }
}

fn type_of(entry: &Entry<'_>) -> Option<UnitOffset> {
    match entry.attr_value(gimli::DW_AT_type).ok()?? {
        AttributeValue::UnitRef(at) => Some(at),
        _ => None,
    }
}

fn number(entry: &Entry<'_>, attribute: gimli::DwAt) -> Option<u64> {
    entry.attr_value(attribute).ok()??.udata_value()
}

fn shape(entry: &Entry<'_>) -> Shape {
    match entry.attr_value(gimli::DW_AT_encoding) {
        Ok(Some(AttributeValue::Encoding(gimli::DW_ATE_unsigned | gimli::DW_ATE_boolean))) => Shape::Unsigned,
        _ => Shape::Signed,
    }
}
