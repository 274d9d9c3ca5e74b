use proptest::prelude::{Just, prop_oneof};

use super::*;

proptest::proptest! {
    #[test]
    fn a_way_of_many_steps_ends_where_each_step_leads(
        steps in proptest::collection::vec(
            proptest::collection::vec(
                prop_oneof![Just(""), Just("."), Just(".."), Just("~"), Just("-"), Just("a"), Just("b..")],
                0..5,
            ),
            1..6,
        ),
    ) {
        let mut joined: Option<String> = None;
        let mut directory: Option<Directory> = None;
        for step in steps {
            let step = step.join("/");
            joined = Some(join(joined.as_deref(), &step).into_owned());
            match &mut directory {
                Some(directory) => directory.go(&step),
                None => directory = Some(Directory::new(&step)),
            }
            let text = directory.as_ref().map(Directory::text);
            proptest::prop_assert_eq!(text.as_deref(), joined.as_deref());
        }
    }

    #[test]
    fn a_directory_is_normal(path in "[-./~a]{0,8}") {
        let directory = Directory::new(&path);
        proptest::prop_assert_eq!(directory.text(), normal(&path));
    }
}
