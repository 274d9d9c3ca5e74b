//! Programs that take a secret, and the option or place they take it by.

use super::table::table;

/// Where an option's secret stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// In the next word, or behind `=` or `:`.
    Next,
    /// In the same word: `-pSECRET`.
    Joined,
    /// Either way.
    Either,
    /// Behind the first of these signs in the next word or the same: `joe:SECRET`.
    After(char),
    /// In the word at this place behind the program and its options, counted from one.
    Place(u8),
    /// In every word behind the sub-command that is not an option.
    Behind,
    /// In every such word that looks like a secret.
    Telling,
}

use Form::{After, Behind, Either, Joined, Next, Place, Telling};

/// A program, the sub-command the option belongs to (or nothing), the option (or nothing for a place), and the form.
pub(super) struct Taken(
    pub(super) &'static str,
    pub(super) &'static str,
    pub(super) &'static str,
    pub(super) Form,
);

table! { Taken;
    Taken("curl", "", "-u", After(':')), "curl user", "curl -u joe:«hunter2» https://example.com", "curl -u joe https://example.com";
    Taken("curl", "", "--user", After(':')), "curl --user", "curl --user joe:«hunter2» https://example.com", "curl --user joe https://example.com";
    Taken("curl", "", "-U", After(':')), "curl proxy user", "curl -U joe:«hunter2» https://example.com", "curl -U joe https://example.com";
    Taken("curl", "", "--proxy-user", After(':')), "curl --proxy-user", "curl --proxy-user joe:«hunter2» https://example.com", "curl --proxy-user joe https://example.com";
    Taken("curl", "", "--pass", Next), "curl key passphrase", "curl --key k.pem --pass «hunter2» https://example.com", "curl -s https://example.com";
    Taken("curl", "", "--oauth2-bearer", Next), "curl bearer", "curl --oauth2-bearer «abcdefgh» https://example.com", "curl --http2 https://example.com";
    Taken("curl", "", "-b", After('=')), "curl cookie", "curl -b 'session=«abcd1234»' https://example.com", "curl -b cookies.txt https://example.com";
    Taken("curl", "", "--cookie", After('=')), "curl --cookie", "curl --cookie 'a=«abcd1234»' https://example.com", "curl --cookie cookies.txt https://example.com";
    Taken("curl", "", "-E", After(':')), "curl certificate", "curl -E client.pem:«hunter2» https://example.com", "curl -E client.pem https://example.com";
    Taken("curl", "", "--cert", After(':')), "curl --cert", "curl --cert client.pem:«hunter2» https://example.com", "curl --cert client.pem https://example.com";
    Taken("http", "", "-a", After(':')), "HTTPie", "http -a joe:«hunter2» example.com", "http -a joe example.com";
    Taken("https", "", "-a", After(':')), "HTTPie over TLS", "https -a joe:«hunter2» example.com", "https -a joe example.com";
    Taken("xh", "", "-a", After(':')), "xh", "xh -a joe:«hunter2» example.com", "xh -a joe example.com";
    Taken("mysql", "", "-p", Joined), "mysql", "mysql -u root -p«hunter2» db", "mysql -u root -p db";
    Taken("mysqldump", "", "-p", Joined), "mysqldump", "mysqldump -uroot -p«hunter2» db", "mysqldump -p db";
    Taken("mysqladmin", "", "-p", Joined), "mysqladmin", "mysqladmin -p«hunter2» status", "mysqladmin -p status";
    Taken("mysqlimport", "", "-p", Joined), "mysqlimport", "mysqlimport -p«hunter2» db t.txt", "mysqlimport -p db";
    Taken("mysqlshow", "", "-p", Joined), "mysqlshow", "mysqlshow -p«hunter2»", "mysqlshow -p db";
    Taken("mariadb", "", "-p", Joined), "mariadb", "mariadb -p«hunter2» db", "mariadb -p db";
    Taken("mariadb-dump", "", "-p", Joined), "mariadb-dump", "mariadb-dump -p«hunter2» db", "mariadb-dump -p db";
    Taken("sshpass", "", "-p", Either), "sshpass", "sshpass -p «hunter2» ssh host", "sshpass -e ssh host";
    Taken("docker", "login", "<<<", Next), "docker login, here", "docker login -u joe --password-stdin <<< «hunter2»", "docker login -u joe";
    Taken("docker", "login", "-p", Either), "docker login", "docker login -u joe -p «hunter2» registry", "docker run -p 8080:80 nginx";
    Taken("podman", "login", "-p", Either), "podman login", "podman login -u joe -p «hunter2» registry", "podman run -p 8080:80 nginx";
    Taken("nerdctl", "login", "-p", Either), "nerdctl login", "nerdctl login -p «hunter2» registry", "nerdctl run -p 8080:80 nginx";
    Taken("buildah", "login", "-p", Either), "buildah login", "buildah login -p «hunter2» registry", "buildah run -p 1";
    Taken("buildah", "", "--creds", After(':')), "buildah credentials", "buildah push --creds joe:«hunter2» a", "buildah push a";
    Taken("skopeo", "login", "-p", Either), "skopeo login", "skopeo login -p «hunter2» registry", "skopeo copy a b";
    Taken("skopeo", "", "--creds", After(':')), "skopeo credentials", "skopeo copy --creds joe:«hunter2» a b", "skopeo inspect a";
    Taken("skopeo", "", "--src-creds", After(':')), "skopeo source credentials", "skopeo copy --src-creds joe:«hunter2» a b", "skopeo inspect b";
    Taken("skopeo", "", "--dest-creds", After(':')), "skopeo destination credentials", "skopeo copy --dest-creds joe:«hunter2» a b", "skopeo inspect c";
    Taken("helm", "login", "-p", Either), "helm registry login", "helm registry login -u joe -p «hunter2» r", "helm install -f values.yaml x";
    Taken("oras", "login", "-p", Either), "oras login", "oras login -p «hunter2» r", "oras pull -p linux r";
    Taken("az", "login", "-p", Either), "az login", "az login --service-principal -u app -p «hunter2» -t tenant", "az vm list -p x";
    Taken("az", "keyvault", "--value", Next), "az keyvault", "az keyvault secret set --name db --value «hunter2»", "az keyvault list";
    Taken("cf", "login", "-p", Either), "cf login", "cf login -u joe -p «hunter2»", "cf push -p app.jar";
    Taken("oc", "login", "-p", Either), "oc login", "oc login -u joe -p «hunter2»", "oc process -p NAME=x";
    Taken("rclone", "", "--sftp-pass", Next), "rclone", "rclone --sftp-pass «hunter2» ls r:", "rclone ls r:";
    Taken("redis-cli", "", "-a", Next), "redis-cli", "redis-cli -a «hunter2» ping", "redis-cli -h host ping";
    Taken("redis-cli", "", "--pass", Next), "redis-cli --pass", "redis-cli --pass «hunter2» ping", "redis-cli -p 6379 ping";
    Taken("redis-cli", "AUTH", "", Behind), "redis-cli AUTH", "redis-cli AUTH joe «hunter2»", "redis-cli GET a";
    Taken("redis-cli", "auth", "", Behind), "redis-cli auth", "redis-cli -h h auth «hunter2»", "redis-cli get a";
    Taken("mongo", "", "-p", Either), "mongo", "mongo -u joe -p «hunter2» db", "mongo --port 27017 db";
    Taken("mongosh", "", "-p", Either), "mongosh", "mongosh -u joe -p «hunter2» db", "mongosh --port 27017 db";
    Taken("mongodump", "", "-p", Either), "mongodump", "mongodump -u joe -p «hunter2»", "mongodump --port 27017";
    Taken("mongorestore", "", "-p", Either), "mongorestore", "mongorestore -u joe -p «hunter2»", "mongorestore --port 27017";
    Taken("mongoexport", "", "-p", Either), "mongoexport", "mongoexport -u joe -p «hunter2»", "mongoexport --port 27017";
    Taken("mongoimport", "", "-p", Either), "mongoimport", "mongoimport -u joe -p «hunter2»", "mongoimport --port 27017";
    Taken("cqlsh", "", "-p", Either), "cqlsh", "cqlsh -u joe -p «hunter2» host", "cqlsh host";
    Taken("cypher-shell", "", "-p", Either), "cypher-shell", "cypher-shell -u neo4j -p «hunter2»", "cypher-shell -u neo4j";
    Taken("sqlcmd", "", "-P", Either), "sqlcmd", "sqlcmd -S host -U sa -P «hunter2»", "sqlcmd -S host -U sa";
    Taken("bcp", "", "-P", Either), "bcp", "bcp t out f -U sa -P «hunter2»", "bcp t out f -U sa";
    Taken("sqlplus", "", "", After('/')), "sqlplus", "sqlplus scott/«tiger»@orcl", "sqlplus /nolog";
    Taken("htpasswd", "-b", "", Place(3)), "htpasswd -b", "htpasswd -b .htpasswd joe «hunter2»", "htpasswd .htpasswd joe";
    Taken("htpasswd", "-cb", "", Place(3)), "htpasswd -cb", "htpasswd -cb .htpasswd joe «hunter2»", "htpasswd -c .htpasswd joe";
    Taken("htpasswd", "-bc", "", Place(3)), "htpasswd -bc", "htpasswd -bc .htpasswd joe «hunter2»", "htpasswd -c file joe";
    Taken("htpasswd", "-bB", "", Place(3)), "htpasswd -bB", "htpasswd -bB .htpasswd joe «hunter2»", "htpasswd -B .htpasswd joe";
    Taken("htpasswd", "-Bb", "", Place(3)), "htpasswd -Bb", "htpasswd -Bb .htpasswd joe «hunter2»", "htpasswd -vB .htpasswd joe";
    Taken("htpasswd", "-cbB", "", Place(3)), "htpasswd -cbB", "htpasswd -cbB .htpasswd joe «hunter2»", "htpasswd -cB .htpasswd joe";
    Taken("htpasswd", "-Bbn", "", Place(2)), "htpasswd -Bbn", "htpasswd -Bbn joe «hunter2»", "htpasswd -Bn joe";
    Taken("htpasswd", "-nb", "", Place(2)), "htpasswd -nb", "htpasswd -nb joe «hunter2»", "htpasswd -n joe";
    Taken("htpasswd", "-nbB", "", Place(2)), "htpasswd -nbB", "htpasswd -nbB joe «hunter2»", "htpasswd -nB joe";
    Taken("openssl", "", "-passin", After(':')), "openssl -passin", "openssl rsa -in k.pem -passin pass:«hunter2»", "openssl rsa -in k.pem -passin stdin";
    Taken("openssl", "", "-passout", After(':')), "openssl -passout", "openssl genrsa -passout pass:«hunter2»", "openssl genrsa -passout stdin";
    Taken("openssl", "", "-pass", After(':')), "openssl -pass", "openssl enc -aes256 -pass pass:«hunter2»", "openssl enc -aes256 -pass stdin";
    Taken("openssl", "", "-password", After(':')), "openssl -password", "openssl pkcs12 -password pass:«hunter2»", "openssl pkcs12 -nokeys";
    Taken("openssl", "", "-k", Next), "openssl -k", "openssl enc -aes256 -k «hunter2»", "openssl x509 -noout";
    Taken("openssl", "", "-K", Next), "openssl -K", "openssl enc -aes256 -K «0badc0de»", "openssl version -a";
    Taken("openssl", "passwd", "", Place(2)), "openssl passwd", "openssl passwd -6 «hunter2»", "openssl passwd -6";
    Taken("gpg", "", "--passphrase", Next), "gpg", "gpg --batch --passphrase «hunter2» -d f", "gpg --batch -d f";
    Taken("smbclient", "", "-U", After('%')), "smbclient", "smbclient //srv/share -U joe%«hunter2»", "smbclient //srv/share -U joe";
    Taken("smbclient", "", "--user", After('%')), "smbclient --user", "smbclient //srv/s --user joe%«hunter2»", "smbclient //srv/s --user joe";
    Taken("rpcclient", "", "-U", After('%')), "rpcclient", "rpcclient -U joe%«hunter2» srv", "rpcclient -U joe srv";
    Taken("net", "", "-U", After('%')), "Samba net", "net ads join -U joe%«hunter2»", "net ads join -U joe";
    Taken("net", "use", "", Place(4)), "net use", "net use Z: //srv/share «hunter2» /user:joe", "net use Z: //srv/share";
    Taken("net", "user", "", Place(3)), "net user", "net user joe «hunter2» /add", "net user joe";
    Taken("ldapsearch", "", "-w", Either), "ldapsearch", "ldapsearch -D cn=a -w «hunter2» -b dc=x", "ldapsearch -D cn=a -W -b dc=x";
    Taken("ldapmodify", "", "-w", Either), "ldapmodify", "ldapmodify -D cn=a -w «hunter2»", "ldapmodify -D cn=a -W";
    Taken("ldapadd", "", "-w", Either), "ldapadd", "ldapadd -D cn=a -w «hunter2»", "ldapadd -D cn=a -W";
    Taken("ldapdelete", "", "-w", Either), "ldapdelete", "ldapdelete -D cn=a -w «hunter2»", "ldapdelete -D cn=a -W";
    Taken("ldapwhoami", "", "-w", Either), "ldapwhoami", "ldapwhoami -D cn=a -w «hunter2»", "ldapwhoami -D cn=a -W";
    Taken("ldappasswd", "", "-s", Either), "ldappasswd", "ldappasswd -s «hunter2» uid=a", "ldappasswd -S uid=a";
    Taken("zip", "", "-P", Either), "zip", "zip -P «hunter2» a.zip f", "zip -r a.zip f";
    Taken("unzip", "", "-P", Either), "unzip", "unzip -P «hunter2» a.zip", "unzip -l a.zip";
    Taken("7z", "", "-p", Joined), "7z", "7z a -p«hunter2» a.7z f", "7z a -p a.7z f";
    Taken("7za", "", "-p", Joined), "7za", "7za x -p«hunter2» a.7z", "7za x a.7z";
    Taken("7zz", "", "-p", Joined), "7zz", "7zz x -p«hunter2» a.7z", "7zz x a.7z";
    Taken("rar", "", "-hp", Joined), "rar with names", "rar a -hp«hunter2» a.rar f", "rar a -r a.rar f";
    Taken("rar", "", "-p", Joined), "rar", "rar a -p«hunter2» a.rar f", "rar a a.rar f";
    Taken("unrar", "", "-p", Joined), "unrar", "unrar x -p«hunter2» a.rar", "unrar x -p- a.rar";
    Taken("ssh-keygen", "", "-N", Either), "ssh-keygen new", "ssh-keygen -t ed25519 -N «hunter2» -f k", "ssh-keygen -t ed25519 -N '' -f k";
    Taken("ssh-keygen", "", "-P", Either), "ssh-keygen old", "ssh-keygen -p -P «hunter2» -f k", "ssh-keygen -l -f k";
    Taken("keytool", "", "-srcstorepass", Next), "keytool source", "keytool -importkeystore -srcstorepass «changeit»", "keytool -list";
    Taken("keytool", "", "-deststorepass", Next), "keytool destination", "keytool -importkeystore -deststorepass «changeit»", "keytool -list -v";
    Taken("jarsigner", "", "-storepass", Next), "jarsigner", "jarsigner -storepass «changeit» a.jar k", "jarsigner -verify a.jar";
    Taken("apksigner", "", "--ks-pass", After(':')), "apksigner", "apksigner sign --ks-pass pass:«hunter2» a.apk", "apksigner verify a.apk";
    Taken("lftp", "", "-u", After(',')), "lftp", "lftp -u joe,«hunter2» host", "lftp -u joe host";
    Taken("ncftpput", "", "-p", Next), "ncftpput", "ncftpput -u joe -p «hunter2» host d f", "ncftpput -u joe host d f";
    Taken("ncftpget", "", "-p", Next), "ncftpget", "ncftpget -u joe -p «hunter2» host d f", "ncftpget -u joe host d f";
    Taken("xfreerdp", "", "/p", Next), "xfreerdp", "xfreerdp /u:joe /p:«hunter2» /v:host", "xfreerdp /u:joe /v:host";
    Taken("rdesktop", "", "-p", Next), "rdesktop", "rdesktop -u joe -p «hunter2» host", "rdesktop -u joe host";
    Taken("winexe", "", "-U", After('%')), "winexe", "winexe -U joe%«hunter2» //host cmd", "winexe -U joe //host cmd";
    Taken("evil-winrm", "", "-p", Next), "evil-winrm", "evil-winrm -i host -u joe -p «hunter2»", "evil-winrm -i host -u joe";
    Taken("ipmitool", "", "-P", Next), "ipmitool", "ipmitool -H h -U a -P «hunter2» power status", "ipmitool -H h -U a power status";
    Taken("snmpwalk", "", "-A", Next), "snmpwalk authentication", "snmpwalk -v3 -A «hunter22» host", "snmpwalk -v3 host";
    Taken("snmpwalk", "", "-X", Next), "snmpwalk privacy", "snmpwalk -v3 -X «hunter22» host", "snmpwalk -v2c host";
    Taken("snmpwalk", "", "-c", Next), "snmpwalk community", "snmpwalk -v2c -c «hunter2» host", "snmpwalk -v3 host 1";
    Taken("mosquitto_pub", "", "-P", Next), "mosquitto_pub", "mosquitto_pub -u joe -P «hunter2» -t t", "mosquitto_pub -t t";
    Taken("mosquitto_sub", "", "-P", Next), "mosquitto_sub", "mosquitto_sub -u joe -P «hunter2» -t t", "mosquitto_sub -t t";
    Taken("mosquitto_passwd", "-b", "", Place(3)), "mosquitto_passwd", "mosquitto_passwd -b file joe «hunter2»", "mosquitto_passwd file joe";
    Taken("twine", "", "-p", Either), "twine", "twine upload -u joe -p «hunter2» dist/*", "twine check dist/*";
    Taken("swaks", "", "-ap", Next), "swaks", "swaks -t a@b -au joe -ap «hunter2»", "swaks -t a@b";
    Taken("sendemail", "", "-xp", Next), "sendemail", "sendemail -xu joe -xp «hunter2»", "sendemail -t a@b";
    Taken("useradd", "", "-p", Either), "useradd", "useradd -p «hunter2» joe", "useradd -m joe";
    Taken("usermod", "", "-p", Either), "usermod", "usermod -p «hunter2» joe", "usermod -aG wheel joe";
    Taken("rabbitmqctl", "add_user", "", Place(3)), "rabbitmqctl add_user", "rabbitmqctl add_user joe «hunter2»", "rabbitmqctl list_users";
    Taken("rabbitmqctl", "change_password", "", Place(3)), "rabbitmqctl change_password", "rabbitmqctl change_password joe «hunter2»", "rabbitmqctl status";
    Taken("wpa_passphrase", "", "", Place(2)), "wpa_passphrase", "wpa_passphrase Home «hunter22»", "wpa_passphrase Home";
    Taken("vncpasswd", "-f", "", Place(1)), "vncpasswd", "vncpasswd -f «hunter2»", "vncpasswd";
    Taken("mc", "alias", "", Place(5)), "MinIO key", "mc alias set m http://h «minioadmin9» x", "mc alias list";
    Taken("mc", "alias", "", Place(6)), "MinIO secret", "mc alias set m http://h joe «miniosecret»", "mc alias rm m";
    Taken("nxc", "", "-p", Next), "NetExec", "nxc smb host -u joe -p «hunter2»", "nxc smb host -u joe";
    Taken("crackmapexec", "", "-p", Next), "CrackMapExec", "crackmapexec smb host -u joe -p «hunter2»", "crackmapexec smb host";
    Taken("hydra", "", "-p", Next), "hydra", "hydra -l joe -p «hunter2» ssh://host", "hydra -l joe ssh://host";
    Taken("cmdkey", "", "/pass", Next), "cmdkey", "cmdkey /add:h /user:joe /pass:«hunter2»", "cmdkey /list";
    Taken("psexec", "", "-p", Next), "psexec", "psexec host -u joe -p «hunter2» cmd", "psexec host cmd";
    Taken("schtasks", "", "/RP", Next), "schtasks", "schtasks /Create /RU joe /RP «hunter2»", "schtasks /Query";
    Taken("schtasks", "", "/rp", Next), "schtasks, small letters", "schtasks /create /ru joe /rp «hunter2»", "schtasks /query";
    Taken("ansible-playbook", "", "--become-password", Next), "ansible", "ansible-playbook -e ansible_password=«hunter2» p.yml", "ansible-playbook p.yml";
    Taken("kinit", "", "--password", Next), "kinit", "kinit --password=«hunter2» joe", "kinit joe";
    Taken("kinit", "", "<<<", Next), "kinit, here", "kinit joe <<< «hunter2»", "kinit -R";
    Taken("npm", "", "--otp", Next), "npm", "npm publish --otp=«{d6}»", "npm publish --access public";
    Taken("wget", "", "--http-passwd", Next), "wget", "wget --http-user=joe --http-passwd=«hunter2» u", "wget -q u";
    Taken("pdftk", "", "user_pw", Next), "pdftk user", "pdftk a.pdf output b.pdf user_pw «hunter2»", "pdftk a.pdf output b.pdf";
    Taken("pdftk", "", "owner_pw", Next), "pdftk owner", "pdftk a.pdf output b.pdf owner_pw «hunter2»", "pdftk a.pdf cat output b.pdf";
    Taken("qpdf", "", "--encrypt", Next), "qpdf", "qpdf --encrypt «hunter2» o 256 -- a b", "qpdf --check a.pdf";
    Taken("openconnect", "", "<<<", Next), "openconnect", "openconnect --passwd-on-stdin <<< «hunter2»", "openconnect vpn.example.com";
    Taken("pass", "", "<<<", Next), "pass", "pass insert -e db <<< «hunter2»", "pass show db";
    Taken("mycli", "", "-p", Either), "mycli", "mycli -p «hunter2» shop", "mycli shop";
    Taken("expdp", "", "", After('/')), "expdp", "expdp system/«hunter2» full=y", "expdp full=y";
    Taken("impdp", "", "", After('/')), "impdp", "impdp joe/«hunter2»@orcl schemas=a", "impdp schemas=a";
    Taken("sqlldr", "", "", After('/')), "sqlldr", "sqlldr joe/«hunter2» control=a.ctl", "sqlldr control=a.ctl";
    Taken("rman", "", "", After('/')), "rman", "rman target sys/«hunter2»@orcl", "rman target";
    Taken("isql", "", "", Place(3)), "isql", "isql dsn joe «hunter2»", "isql dsn joe";
    Taken("etcdctl", "", "--user", After(':')), "etcdctl", "etcdctl --user root:«hunter2» get a", "etcdctl --user root get a";
    Taken("crane", "login", "-p", Either), "crane", "crane auth login -u joe -p «hunter2» ghcr.io", "crane ls a";
    Taken("conjur", "login", "-p", Either), "conjur", "conjur authn login -u joe -p «hunter2»", "conjur list";
    Taken("aws", "put-parameter", "--value", Next), "aws ssm", "aws ssm put-parameter --name a --value «hunter2»", "aws ssm get-parameter --name a";
    Taken("gh", "secret", "--body", Next), "gh secret", "gh secret set A --body «hunter2»", "gh pr create --body fixed";
    Taken("gh", "auth", "<<<", Next), "gh auth", "gh auth login --with-token <<< «mytoken1»", "gh auth status";
    Taken("gh", "secret", "<<<", Next), "gh secret, here", "gh secret set A <<< «hunter2»", "gh secret list";
    Taken("gh", "secret", "-b", Either), "gh secret -b", "gh secret set A -b \"«hunter2»\"", "gh pr create -b fixed";
    Taken("poetry", "config", "pypi-token.pypi", Next), "poetry token", "poetry config pypi-token.pypi «hunter2»", "poetry config --list";
    Taken("poetry", "config", "", Place(4)), "poetry", "poetry config http-basic.a joe «hunter2»", "poetry config virtualenvs.create false";
    Taken("pulumi", "--secret", "", Place(4)), "pulumi", "pulumi config set --secret a «hunter2»", "pulumi config set aws:region eu";
    Taken("caddy", "hash-password", "--plaintext", Next), "caddy", "caddy hash-password --plaintext «hunter2»", "caddy run";
    Taken("ncftp", "", "-p", Next), "ncftp", "ncftp -u joe -p «hunter2» host", "ncftp -u joe host";
    Taken("ConvertTo-SecureString", "", "", Place(1)), "PowerShell", "ConvertTo-SecureString \"«hunter2»\" -AsPlainText", "ConvertTo-SecureString -AsPlainText";
    Taken("ConvertTo-SecureString", "", "-String", Next), "PowerShell, named", "ConvertTo-SecureString -String «hunter2» -AsPlainText", "ConvertTo-SecureString -String $pw";
    Taken("snmpget", "", "-A", Next), "snmpget authentication", "snmpget -v3 -A «hunter22» host", "snmpget -v3 host";
    Taken("snmpget", "", "-X", Next), "snmpget privacy", "snmpget -v3 -X «hunter22» host", "snmpget -v3 host 1";
    Taken("snmpget", "", "-c", Next), "snmpget community", "snmpget -v2c -c «hunter2» host", "snmpget -v3 host 2";
    Taken("rabbitmqadmin", "", "-p", Next), "rabbitmqadmin", "rabbitmqadmin -u joe -p «hunter2» list queues", "rabbitmqadmin list queues";
    Taken("impacket-psexec", "", "", After(':')), "Impacket psexec", "impacket-psexec joe:«hunter2»@10.0.0.5", "impacket-psexec 10.0.0.5";
    Taken("impacket-wmiexec", "", "", After(':')), "Impacket wmiexec", "impacket-wmiexec joe:«hunter2»@10.0.0.5", "impacket-wmiexec 10.0.0.5";
    Taken("impacket-smbexec", "", "", After(':')), "Impacket smbexec", "impacket-smbexec joe:«hunter2»@10.0.0.5", "impacket-smbexec 10.0.0.5";
    Taken("impacket-secretsdump", "", "", After(':')), "Impacket secretsdump", "impacket-secretsdump joe:«hunter2»@10.0.0.5", "impacket-secretsdump 10.0.0.5";
    Taken("bw", "login", "", Place(3)), "Bitwarden login", "bw login joe@example.com «hunter2»", "bw login";
    Taken("bw", "unlock", "", Place(2)), "Bitwarden unlock", "bw unlock --raw «hunter2»", "bw unlock --raw";
    Taken("steghide", "", "-p", Next), "steghide", "steghide embed -p «hunter2» -cf a.jpg", "steghide info a.jpg";
    Taken("security", "add-generic-password", "-w", Either), "macOS key chain", "security add-generic-password -a joe -w «hunter2»", "security add-generic-password -a joe";
    Taken("security", "add-internet-password", "-w", Either), "macOS key chain, internet", "security add-internet-password -a joe -w «hunter2»", "security list-keychains";
    Taken("security", "unlock-keychain", "-p", Either), "macOS unlock", "security unlock-keychain -p «hunter2» login.keychain", "security find-identity -p codesigning";
    Taken("security", "create-keychain", "-p", Either), "macOS create", "security create-keychain -p «hunter2» a.keychain", "security default-keychain";
    Taken("security", "import", "-P", Either), "macOS import", "security import a.p12 -P «hunter2»", "security import a.p12";
    Taken("signtool", "", "/p", Next), "signtool", "signtool sign /f a.pfx /p «hunter2» a.exe", "signtool verify a.exe";
    Taken("certutil", "", "-p", Next), "certutil", "certutil -p «hunter2» -importpfx a.pfx", "certutil -dump a.cer";
    Taken("auth-user-pass", "", "", Place(2)), "OpenVPN file", "auth-user-pass joe «hunter2»", "auth-user-pass";
    Taken("IDENTIFIED", "", "BY", Next), "SQL user", "CREATE USER joe IDENTIFIED BY '«hunter2»';", "CREATE USER joe IDENTIFIED EXTERNALLY;";
    Taken("PRAGMA", "", "key", Next), "SQLCipher", "sqlite3 a.db \"PRAGMA key='«hunter2»'\"", "PRAGMA foreign_keys=ON";
    Taken("PRAGMA", "", "rekey", Next), "SQLCipher, new", "PRAGMA rekey='«hunter2»'", "PRAGMA table_info(users)";
    Taken("pragma", "", "key", Next), "SQLCipher, small letters", "pragma key = '«hunter2»'", "#pragma once";
    Taken("iwconfig", "", "key", Next), "iwconfig", "iwconfig wlan0 key s:«hunter22»", "iwconfig wlan0 essid home";
    Taken("nmcli", "", "password", Next), "nmcli", "nmcli dev wifi connect home password «sunshine»", "nmcli dev wifi list";
    Taken("gem", "push", "--key", Next), "gem push", "gem push --key «hunter2» a.gem", "gem push a.gem";
    Taken("gem", "push", "-k", Next), "gem push -k", "gem push -k «hunter2» a.gem", "gem install -k rails";
    Taken("nuget", "push", "-k", Next), "NuGet", "dotnet nuget push a.nupkg -k «hunter2»", "dotnet nuget push a.nupkg -s nuget.org";
    Taken("cargo", "login", "", Telling), "cargo login", "cargo login «abcd1234efgh»", "run cargo login first";
    Taken("vault", "login", "", Telling), "vault login", "vault login «abcd1234efgh»", "vault login -method=oidc role=dev";
    Taken("kubectl", "secret", "--from-literal", After('=')), "kubectl create secret", "kubectl create secret generic db --from-literal=v=«hunter2»", "kubectl get secret db -o yaml";
    Taken("wrangler", "secret", "<<<", Next), "wrangler", "wrangler secret put API <<< «hunter2»", "wrangler secret list";
    Taken("vercel", "env", "<<<", Next), "vercel", "vercel env add A production <<< «hunter2»", "vercel env ls";
    Taken("sudo", "-S", "<<<", Next), "sudo, here", "sudo -S apt update <<< «hunter2»", "sudo tee a.txt <<< done";
    Taken("cryptsetup", "", "<<<", Next), "cryptsetup, here", "cryptsetup luksOpen /dev/sda1 x <<< «hunter2»", "cryptsetup status x";
    Taken("cryptsetup", "", "--key-file-pass", Next), "cryptsetup", "echo «hunter2» | cryptsetup luksOpen /dev/sda x --key-file -", "cryptsetup luksDump /dev/sda";
}

/// `curl` of `/usr/bin/curl`.
#[inline]
pub(super) fn file_name(word: &[u8]) -> &[u8] {
    match word.first() {
        Some(b'/' | b'.' | b'~') => {
            let slash = word.iter().rposition(|byte| *byte == b'/');
            &word[slash.map_or(0, |slash| slash + 1)..]
        }
        _ => word,
    }
}

/// Whether a name may be that of a known program, judged by its length, its first two letters and its last.
#[inline]
pub(super) fn may_be_program(name: &[u8]) -> bool {
    let ([first, second, ..], Some(last)) = (name, name.last()) else {
        return false;
    };
    let place = by_shape(*first, name.len());
    LAST[place] >> (last & 31) & 1 == 1 && SECOND[place] >> (second & 31) & 1 == 1
}

/// The rows of a program, if it takes secrets. They stand together in the table.
pub(super) fn known(name: &str) -> Option<&'static [Taken]> {
    let first = *name.as_bytes().first()?;
    let mut start = FIRST[usize::from(first)];
    while usize::from(start) < TABLE.len() {
        let rows = &TABLE[usize::from(start)..];
        if rows[0].0 == name {
            let rows = rows.iter().take_while(|taken| taken.0 == name);
            return TABLE.get(usize::from(start)..usize::from(start) + rows.count());
        }
        start = NEXT[usize::from(start)];
    }
    None
}

/// In place of a row where there is none.
const NONE: u8 = u8::MAX;

/// The first row whose program begins with a byte.
static FIRST: [u8; 256] = rows_by_first_byte().0;

/// The next row whose program begins with the same byte, for each row.
static NEXT: [u8; TABLE.len()] = rows_by_first_byte().1;

const fn rows_by_first_byte() -> ([u8; 256], [u8; TABLE.len()]) {
    assert!(TABLE.len() < NONE as usize);
    let mut first = [NONE; 256];
    let mut next = [NONE; TABLE.len()];
    let mut at = TABLE.len();
    while at > 0 {
        at -= 1;
        // Only the first row of each program is looked for.
        if at > 0 && is_same(TABLE[at - 1].0.as_bytes(), TABLE[at].0.as_bytes()) {
            continue;
        }
        let begins = &mut first[TABLE[at].0.as_bytes()[0] as usize];
        next[at] = *begins;
        *begins = at as u8;
    }
    (first, next)
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Programs whose output may be a password for the next program.
pub(super) const ECHOES: [&str; 2] = ["echo", "printf"];

/// Members of an object that hold the words of a program which another member names.
pub(super) const LISTS: [&str; 3] = ["args", "argv", "arguments"];

/// The last letters of the programs of a length that begin with a letter, one bit each. The place is that of the first
/// letter in the alphabet and the length, as [`by_shape`] has it. Tells most words apart from all programs.
static LAST: [u32; 1024] = letters().0;

/// The second letters of these programs, in the same way.
static SECOND: [u32; 1024] = letters().1;

const fn letters() -> ([u32; 1024], [u32; 1024]) {
    let mut last = [0; 1024];
    let mut second = [0; 1024];
    let mut at = 0;
    while at < TABLE.len() + ECHOES.len() + LISTS.len() {
        let name = if at < TABLE.len() {
            TABLE[at].0.as_bytes()
        } else if at < TABLE.len() + ECHOES.len() {
            ECHOES[at - TABLE.len()].as_bytes()
        } else {
            LISTS[at - TABLE.len() - ECHOES.len()].as_bytes()
        };
        let place = by_shape(name[0], name.len());
        last[place] |= 1 << (name[name.len() - 1] & 31);
        second[place] |= 1 << (name[1] & 31);
        at += 1;
    }
    (last, second)
}

const fn by_shape(first: u8, length: usize) -> usize {
    (first as usize & 31) << 5 | length & 31
}
